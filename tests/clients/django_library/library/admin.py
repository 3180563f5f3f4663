"""The pages of the administration."""

from django.contrib import admin

from .models import Author, Book


@admin.register(Author)
class AuthorAdmin(admin.ModelAdmin):
    list_display = ["name", "born", "living"]
    list_filter = ["living"]
    search_fields = ["name"]


@admin.register(Book)
class BookAdmin(admin.ModelAdmin):
    list_display = ["title", "author", "price", "added"]
    list_select_related = ["author"]
    date_hierarchy = "added"
    search_fields = ["title", "author__name"]
