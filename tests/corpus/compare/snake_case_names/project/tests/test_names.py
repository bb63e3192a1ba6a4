import pytest

from codegen.names import module_of, snake_case


@pytest.mark.parametrize(
    "name, snake",
    [
        ("HTTPServerName", "http_server_name"),
        ("customerOrderLineItemRepositoryFactoryBean", "customer_order_line_item_repository_factory_bean"),
        ("already_snake_case_name_of_some_length", "already_snake_case_name_of_some_length"),
        ("X-Forwarded-For", "x_forwarded_for"),
        ("", ""),
    ],
)
def test_names(name, snake):
    assert snake_case(name) == snake


def test_module():
    assert module_of(["FooBar", "Baz"]) == "from .foo_bar import FooBar\nfrom .baz import Baz"
