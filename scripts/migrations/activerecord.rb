require "active_record"; require "stringio"
ActiveRecord::Base.establish_connection(ARGV[0]); ActiveRecord::Base.logger = nil; ActiveRecord::Migration.verbose = false
class Make < ActiveRecord::Migration[6.1]
  def change
    create_table(:shelves) { |t| t.string :name, limit: 40, null: false, default: "x"; t.text :note; t.boolean :open, default: true, null: false; t.decimal :price, precision: 10, scale: 2; t.float :weight; t.date :day; t.datetime :at; t.time :clock; t.text :tags, array: true, default: []; t.integer :nums, array: true; t.jsonb :doc, default: {}; t.uuid :u, default: -> { "gen_random_uuid()" }; t.binary :raw; t.bigint :big; t.interval :span rescue nil; t.integer :mood, default: 0; t.inet :addr; t.timestamps }
    create_table(:books) { |t| t.references :shelf, foreign_key: true; t.string :title; t.index :title, unique: true }
    add_column :books, :pages, :integer, default: 5
    add_index :shelves, [:name, :day]
  end
end
class Shelf < ActiveRecord::Base; has_many :books; enum mood: { sad: 0, happy: 1 }; end
class Book < ActiveRecord::Base; belongs_to :shelf; end
dump = -> { io = StringIO.new; ActiveRecord::SchemaDumper.dump(ActiveRecord::Base.connection, io); io.string }
Make.new.migrate(:up)
puts dump.call
s = Shelf.create!(tags: ["a", "b c"], nums: [1, 2], doc: { a: 1 }, day: Date.new(2024, 1, 2), at: Time.utc(2024, 1, 2, 3, 4, 5), price: 1.5, weight: 2.5, mood: :happy, raw: "\x00\xff".b)
s.books.create!(title: "t"); r = Shelf.happy.joins(:books).where(books: { title: "t" }).first
puts [r.tags, r.nums, r.doc, r.day, r.price, r.weight, r.mood, r.open, r.u.length, r.raw.bytes].inspect
r.update!(tags: []); Book.delete_all; puts Shelf.count, Shelf.where("? = ANY(nums)", 1).count
one = dump.call; puts "dump stays #{one == dump.call}"
Make.new.migrate(:down); puts ActiveRecord::Base.connection.tables.inspect
