#pragma once

#include "inspector/tokenizers/detail/jinja_value.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace et::inspector::tokenizers::detail::jinja {

enum class ExprKind : std::uint8_t {
    Literal,    ///< `literal`
    Name,       ///< `text`
    List,       ///< of `parts`
    Dict,       ///< key, value, key, value, ...
    Attribute,  ///< attribute `text` of the first part
    Item,       ///< the first part, indexed by the second
    Slice,      ///< the first part, sliced by start, stop, step, any of which may be null
    Call,       ///< call of the first part with arguments
    Filter,     ///< filter `text` of the first part, with arguments
    Test,       ///< test `text` of the first part, with arguments
    Unary,      ///< "-", "+" or "not"
    Binary,     ///< operator `text` with two operands
    And,
    Or,
    Condition  ///< condition, then, else (may be null)
};

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;
struct Expr {
    ExprKind kind = ExprKind::Literal;
    std::size_t line = 1;
    std::string text{};
    Value literal{};
    std::vector<ExprPtr> parts{};
    std::vector<std::string> keywords{};  ///< names of keyword arguments, which are the last parts of a call
};

enum class NodeKind : std::uint8_t { Text, Output, If, For, Set, SetBlock, Macro, Break, Continue };

struct Node;
using Body = std::vector<Node>;
struct Node {
    NodeKind kind = NodeKind::Text;
    std::size_t line = 1;
    std::string text{};                ///< Text: the text; Set: the attribute of a namespace, or empty
    std::vector<std::string> names{};  ///< assigned names, or loop variables
    std::vector<ExprPtr> exprs{};      ///< If: one per branch; For: the iterated value, and a filter or null
    std::vector<Body> bodies{};        ///< If: one per branch, followed by else; For: the loop, and else
    std::unique_ptr<MacroNode> macro{};  ///< Macro
};

struct MacroNode {
    std::string name;
    std::vector<std::string> parameters;
    std::vector<ExprPtr> defaults;  ///< for the last parameters
    Body body;
};

/// Parses a template. Errors: Format (with the line), Unsupported (an unknown tag), Limit (nested too
/// deeply).
[[nodiscard]] core::Result<Body> parse(std::string_view source);

}  // namespace et::inspector::tokenizers::detail::jinja
