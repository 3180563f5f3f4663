"""A project whose database is PostgreSQL, as far as Django knows."""

import os
from urllib.parse import urlsplit

address = urlsplit(os.environ["DATABASE_URL"])

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "HOST": address.hostname,
        "PORT": address.port,
        "USER": address.username,
        "NAME": address.path.lstrip("/"),
        "OPTIONS": {"server_side_binding": os.environ.get("SERVER_SIDE_BINDING") == "yes"},
    }
}
INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "library",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ROOT_URLCONF = "urls"
SECRET_KEY = "not secret"
STATIC_URL = "static/"
ALLOWED_HOSTS = ["*"]
USE_TZ = True
TIME_ZONE = "Europe/Berlin"
