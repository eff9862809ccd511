#pragma once

#include "inspector/tokenizers/detail/jinja_value.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace et::inspector::detail::jinja {

enum class ExprKind : std::uint8_t {
    Literal,    ///< `literal`
    Name,       ///< `text`
    List,       ///< of `parts`
    Dict,       ///< key, value, key, value, ...
    Attribute,  ///< `text` of the first part
    Item,       ///< second part of the first
    Slice,      ///< of the first part: start, stop, step; any of them may be null
    Call,       ///< of the first part, with arguments
    Filter,     ///< `text` of the first part, with arguments
    Test,       ///< `text` of the first part, with arguments
    Unary,      ///< "-", "+" or "not"
    Binary,     ///< `text` of two parts
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
    std::vector<std::string> keywords{};  ///< names of the last parts of a call
};

enum class NodeKind : std::uint8_t { Text, Output, If, For, Set, SetBlock, Macro, Break, Continue };

struct Node;
using Body = std::vector<Node>;
struct Node {
    NodeKind kind = NodeKind::Text;
    std::size_t line = 1;
    std::string text{};                  ///< Text; Set: the attribute of a namespace, or empty
    std::vector<std::string> names{};    ///< what is set, or runs over a list
    std::vector<ExprPtr> exprs{};        ///< If: one a branch; For: what it runs over, and a filter or null
    std::vector<Body> bodies{};          ///< If: one a branch, and one more: else; For: the loop, and else
    std::unique_ptr<MacroNode> macro{};  ///< Macro
};

struct MacroNode {
    std::string name;
    std::vector<std::string> parameters;
    std::vector<ExprPtr> defaults;  ///< of the last parameters
    Body body;
};

/// Reads a template. Errors: Format (with the line), Unsupported (a tag that we do not know), Limit (nested
/// too deeply).
[[nodiscard]] core::Result<Body> parse(std::string_view source);

}  // namespace et::inspector::detail::jinja
