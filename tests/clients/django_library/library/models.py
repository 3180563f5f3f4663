"""One field of each kind that Django has on PostgreSQL, with relations, indexes and constraints."""

import uuid

from django.db import models


class Author(models.Model):
    name = models.CharField(max_length=80, unique=True)
    born = models.DateField(null=True, blank=True)
    living = models.BooleanField(default=True)
    facts = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["name"]

    def __str__(self):
        return self.name


class Topic(models.Model):
    slug = models.SlugField(unique=True)


class Book(models.Model):
    key = models.UUIDField(default=uuid.uuid4, unique=True)
    title = models.CharField(max_length=120, db_index=True)
    author = models.ForeignKey(Author, models.CASCADE, related_name="books")
    topics = models.ManyToManyField(Topic, related_name="books")
    price = models.DecimalField(max_digits=8, decimal_places=2)
    pages = models.PositiveIntegerField(default=100)
    weight = models.FloatField(null=True)
    reading_time = models.DurationField(null=True)
    added = models.DateTimeField()
    cover = models.BinaryField(null=True)
    from_address = models.GenericIPAddressField(null=True)

    class Meta:
        indexes = [models.Index(fields=["author", "-added"], name="book_newest")]
        constraints = [
            models.CheckConstraint(condition=models.Q(price__gte=0), name="price_not_negative"),
            models.UniqueConstraint(fields=["author", "title"], name="one_title_of_an_author"),
            models.UniqueConstraint(fields=["title"], condition=models.Q(pages__gt=900), name="one_long_book"),
        ]

    def __str__(self):
        return self.title


class Loan(models.Model):
    book = models.ForeignKey(Book, models.PROTECT)
    reader = models.ForeignKey("auth.User", models.CASCADE)
    day = models.DateField()
    at = models.TimeField(null=True)
    returned = models.DateField(null=True)
    note = models.TextField(blank=True, default="")


class Case(models.Model):
    """What later migrations made of the shelf of the first."""

    name = models.TextField()
    places = models.IntegerField(db_default=20)
    room = models.IntegerField(default=1)
    owner = models.ForeignKey("auth.User", models.SET_NULL, null=True)

    class Meta:
        indexes = [models.Index(fields=["room", "name"], name="case_by_room")]
        constraints = [models.CheckConstraint(condition=models.Q(room__lt=100), name="rooms_are_few")]
