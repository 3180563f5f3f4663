"""Every kind of change of a table that holds rows already."""

from django.conf import settings
from django.db import migrations, models
from django.db.models import deletion


def fill(apps, editor):
    apps.get_model("library", "Shelf").objects.bulk_create(
        apps.get_model("library", "Shelf")(label=f"shelf {number}", room=number % 3) for number in range(5)
    )


def empty(apps, editor):
    apps.get_model("library", "Shelf").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("library", "0001_initial"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.RunPython(fill, empty),
        migrations.RenameModel("Shelf", "Case"),
        migrations.RenameField("Case", "label", "name"),
        migrations.AlterField("Case", "name", models.TextField()),
        migrations.AddField("Case", "places", models.IntegerField(db_default=20)),
        migrations.AddField("Case", "colour", models.CharField(max_length=10, default="grey")),
        migrations.AddField(
            "Case", "owner", models.ForeignKey(null=True, on_delete=deletion.SET_NULL, to=settings.AUTH_USER_MODEL)
        ),
    ]
