//! How tables join: the keys as edges of a graph, and a cheapest tree that connects some tables.

use std::sync::OnceLock;

use petgraph::{
    algo::{astar, dijkstra},
    graph::{NodeIndex, UnGraph},
    visit::EdgeRef,
};

use super::{ForeignKey, Schema, words};

/// What a view costs on the way: it repeats what tables hold, and may leave rows out.
const OVER_A_VIEW: u32 = 200;

/// A way has fewer joins than this. It is counted in its cost, which is in multiples of this: of ways as cheap as each other the
/// shortest is taken.
const MOST_JOINS: u64 = 1 << 16;

/// How many joins lie between one table and each other; `None` where no keys lead there.
type Distances = Box<[Option<u16>]>;

/// Keys as edges between tables; an edge's weight is the key's position in [`Schema::foreign_keys`].
#[derive(Debug, Clone, Default)]
pub struct JoinGraph {
    graph: UnGraph<(), Edge>,
    /// From each table, worked out when somebody asks: a question asks for few tables, and for each of them again and again.
    distances: Box<[OnceLock<Distances>]>,
}

#[derive(Debug, Clone, Copy)]
struct Edge {
    key: usize,
    /// Declared keys are preferred to inferred ones.
    cost: u32,
    /// It is called by what it leads to, and so says only what belongs to what: `section_id`, and not `leader_id`.
    plain: bool,
}

/// One step of a join tree: `table` is reached over a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JoinStep {
    /// Position of the table that this step adds.
    pub table: usize,
    /// Position in [`Schema::foreign_keys`] of the key to a table that is there already.
    pub key: usize,
}

impl JoinGraph {
    /// The graph of all keys of a schema.
    pub fn new(schema: &Schema) -> Self {
        let mut graph = UnGraph::with_capacity(schema.tables.len(), schema.foreign_keys.len());
        for _ in &schema.tables {
            graph.add_node(());
        }
        for (key, foreign_key) in schema.foreign_keys.iter().enumerate() {
            let (Some(from), Some(to)) = (foreign_key.from.first(), foreign_key.to.first()) else {
                continue;
            };
            if from.table != to.table {
                let cost = match () {
                    () if schema.tables[from.table].is_view => OVER_A_VIEW,
                    () if foreign_key.declared => 10,
                    () => 13,
                };
                graph.add_edge(
                    NodeIndex::new(from.table),
                    NodeIndex::new(to.table),
                    Edge {
                        key,
                        cost,
                        plain: is_plain(foreign_key, schema),
                    },
                );
            }
        }
        let distances = schema.tables.iter().map(|_| OnceLock::new()).collect();
        Self { graph, distances }
    }

    /// The steps that connect all `tables`, beginning at the first; `None` where no keys lead there.
    /// Tables in between are added. Of several equally cheap trees one is chosen, always the same; of several keys
    /// between two tables, one of `preferred`, else one that is called by what it leads to, else the first declared.
    pub fn connect(&self, tables: &[usize], preferred: &[usize]) -> Option<Vec<JoinStep>> {
        let (&first, rest) = tables.split_first()?;
        let mut joined = vec![first];
        let mut steps = Vec::new();
        let mut missing: Vec<usize> = Vec::new();
        for &table in rest {
            if table != first && !missing.contains(&table) {
                missing.push(table);
            }
        }
        while !missing.is_empty() {
            let (_, path) = missing
                .iter()
                .filter_map(|&goal| {
                    joined
                        .iter()
                        .filter_map(|&start| self.path(start, goal))
                        .min_by_key(|p| p.0)
                })
                .min_by_key(|(cost, _)| *cost)?;
            for pair in path.windows(2) {
                if !joined.contains(&pair[1]) {
                    steps.push(JoinStep {
                        table: pair[1],
                        key: self.key_between(pair[0], pair[1], preferred)?,
                    });
                    joined.push(pair[1]);
                }
            }
            missing.retain(|table| !joined.contains(table));
        }
        Some(steps)
    }

    /// How many joins lie between two tables; `None` where no keys lead there.
    pub fn distance(&self, from: usize, to: usize) -> Option<usize> {
        let distances = self.distances.get(from)?.get_or_init(|| self.distances(from));
        distances.get(to).copied().flatten().map(usize::from)
    }

    fn distances(&self, from: usize) -> Distances {
        let cost = |edge: &Edge| u64::from(edge.cost) * MOST_JOINS + 1;
        let costs = dijkstra(&self.graph, NodeIndex::new(from), None, |edge| {
            cost(edge.weight())
        });
        let mut distances = vec![None; self.graph.node_count()].into_boxed_slice();
        for (table, cost) in costs {
            distances[table.index()] = u16::try_from(cost % MOST_JOINS).ok();
        }
        distances
    }

    /// The keys directly between two tables, in declared order.
    pub fn keys_between(&self, one: usize, other: usize) -> Vec<usize> {
        let mut keys: Vec<usize> = self
            .graph
            .edges(NodeIndex::new(one))
            .filter(|edge| edge.source().index() == other || edge.target().index() == other)
            .map(|edge| edge.weight().key)
            .collect();
        keys.sort_unstable();
        keys
    }

    /// The tables one key away.
    pub fn neighbours(&self, table: usize) -> impl Iterator<Item = usize> {
        self.graph.neighbors(NodeIndex::new(table)).map(NodeIndex::index)
    }

    fn key_between(&self, one: usize, other: usize, preferred: &[usize]) -> Option<usize> {
        let keys = self.keys_between(one, other);
        let plain = |key: &&usize| {
            let mut edges = self.graph.edge_weights();
            edges.any(|edge| edge.key == **key && edge.plain)
        };
        keys.iter()
            .find(|key| preferred.contains(key))
            .or_else(|| keys.iter().find(plain))
            .or(keys.first())
            .copied()
    }

    fn path(&self, start: usize, goal: usize) -> Option<(u32, Vec<usize>)> {
        let node_count = self.graph.node_count();
        if start >= node_count || goal >= node_count {
            return None;
        }
        let goal = NodeIndex::new(goal);
        let (cost, path) = astar(
            &self.graph,
            NodeIndex::new(start),
            |node| node == goal,
            |edge| edge.weight().cost,
            |_| 0,
        )?;
        Some((cost, path.into_iter().map(NodeIndex::index).collect()))
    }
}

/// True for a key that is called by the table that it leads to, or by the column.
fn is_plain(key: &ForeignKey, schema: &Schema) -> bool {
    let ([from], [to]) = (&key.from[..], &key.to[..]) else {
        return false;
    };
    let stems = |name: &str| -> Vec<String> {
        let words = words::identifier_words(name);
        words.iter().map(|word| words::stem(word)).collect()
    };
    let (table, column) = (
        stems(&schema.tables[to.table].name),
        stems(&schema.column(*to).name),
    );
    let name = stems(&schema.column(*from).name);
    let rest: Vec<&String> = name.iter().filter(|word| !column.contains(word)).collect();
    name == column || !rest.is_empty() && rest.iter().all(|word| table.contains(word))
}
