"""Types of columns, indexes and constraints of a table that holds rows already."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("library", "0002_a_shelf_becomes_a_case")]

    operations = [
        migrations.RemoveField("Case", "colour"),
        migrations.AlterField("Case", "room", models.IntegerField(default=1)),
        migrations.AddIndex("Case", models.Index(fields=["room", "name"], name="case_in_room")),
        migrations.RenameIndex("Case", new_name="case_by_room", old_name="case_in_room"),
        migrations.AddConstraint(
            "Case", models.CheckConstraint(condition=models.Q(room__lt=100), name="rooms_are_few")
        ),
    ]
