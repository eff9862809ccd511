#include "inspector/tokenizers/detail/jinja_expressions.h"
#include "inspector/tokenizers/detail/jinja_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

namespace et::inspector::tokenizers::detail::jinja {
namespace {

using core::ErrorCode;
using core::Result;

class Parser {
  public:
    explicit Parser(std::vector<Token> tokens) : reader(std::move(tokens)) {}

    Result<Body> all() {
        ET_ASSIGN(Body body, block({}));
        return reader.sees(TokenKind::End) ? Result<Body>(std::move(body)) : reader.unexpected("the end");
    }

  private:
    /// Parses up to one of these tags, whose name is consumed; if there are none, to the end.
    Result<Body> block(std::initializer_list<std::string_view> ends);
    Result<Node> statement(const std::string& tag, std::size_t line);
    Result<Node> parseIf(std::size_t line);
    Result<Node> parseFor(std::size_t line);
    Result<Node> parseSet(std::size_t line);
    Result<Node> parseMacro(std::size_t line);
    Result<> closeTag() { return reader.expect(TokenKind::BlockEnd, {}); }

    TokenReader reader;
    std::string ended;  ///< the tag that terminated the last block
};

Result<Body> Parser::block(std::initializer_list<std::string_view> ends) {
    ET_TRY(reader.mayNest());
    const TokenReader::Level level(reader.depth);
    Body body;
    while (!reader.sees(TokenKind::End)) {
        const std::size_t line = reader.peek().line;
        if (reader.sees(TokenKind::Text)) {
            body.push_back({.kind = NodeKind::Text, .line = line, .text = reader.take().text});
        } else if (reader.takes(TokenKind::OutputBegin)) {
            Node node{.kind = NodeKind::Output, .line = line};
            ET_ASSIGN(ExprPtr shown, reader.tuple());
            node.exprs.push_back(std::move(shown));
            ET_TRY(reader.expect(TokenKind::OutputEnd, {}));
            body.push_back(std::move(node));
        } else if (reader.takes(TokenKind::BlockBegin)) {
            ET_ASSIGN(const std::string tag, reader.expectName());
            if (std::ranges::contains(ends, tag)) {
                ended = tag;
                return body;
            }
            // Marks the model's answers for training; their text is kept.
            if (tag == "generation" || tag == "endgeneration") {
                ET_TRY(closeTag());
                continue;
            }
            ET_ASSIGN(Node node, statement(tag, line));
            body.push_back(std::move(node));
        } else {
            return reader.unexpected("text or a tag");
        }
    }
    return ends.size() == 0 ? Result<Body>(std::move(body))
                            : reader.unexpected(fmt::format("{{% {} %}}", *(ends.end() - 1)));
}

Result<Node> Parser::statement(const std::string& tag, std::size_t line) {
    if (tag == "if") {
        return parseIf(line);
    }
    if (tag == "for") {
        return parseFor(line);
    }
    if (tag == "set") {
        return parseSet(line);
    }
    if (tag == "macro") {
        return parseMacro(line);
    }
    if (tag == "break" || tag == "continue") {
        ET_TRY(closeTag());
        return Node{.kind = tag == "break" ? NodeKind::Break : NodeKind::Continue, .line = line};
    }
    constexpr std::array<std::string_view, 10> others{"include", "import", "from", "extends",    "block",
                                                      "call",    "filter", "with", "autoescape", "do"};
    const bool isKnown = std::ranges::contains(others, tag);
    return templateError(isKnown ? ErrorCode::Unsupported : ErrorCode::Format,
                         isKnown ? fmt::format("{{% {} %}} is not supported", tag)
                                 : fmt::format("unexpected tag '{}'", core::printable(tag)),
                         line);
}

Result<Node> Parser::parseIf(std::size_t line) {
    Node node{.kind = NodeKind::If, .line = line};
    ended = "if";
    while (ended != "endif") {
        const bool isElse = ended == "else";
        if (!isElse) {
            ET_ASSIGN(ExprPtr condition, reader.expression());
            node.exprs.push_back(std::move(condition));
        }
        ET_TRY(closeTag());
        ET_ASSIGN(Body body, isElse ? block({"endif"}) : block({"elif", "else", "endif"}));
        node.bodies.push_back(std::move(body));
    }
    ET_TRY(closeTag());
    return node;
}

Result<Node> Parser::parseFor(std::size_t line) {
    Node node{.kind = NodeKind::For, .line = line};
    const bool inParentheses = reader.takes(TokenKind::Operator, "(");
    do {
        ET_ASSIGN(std::string name, reader.expectName());
        node.names.push_back(std::move(name));
    } while (reader.takes(TokenKind::Operator, ","));
    if (inParentheses) {
        ET_TRY(reader.expect(TokenKind::Operator, ")"));
    }
    ET_TRY(reader.expect(TokenKind::Name, "in"));
    ET_ASSIGN(ExprPtr over, reader.plain());
    node.exprs.push_back(std::move(over));
    ExprPtr filter;
    if (reader.takes(TokenKind::Name, "if")) {
        ET_ASSIGN(filter, reader.expression());
    }
    node.exprs.push_back(std::move(filter));
    if (reader.sees(TokenKind::Name, "recursive")) {
        return templateError(ErrorCode::Unsupported, "recursive loops are not supported", line);
    }
    ET_TRY(closeTag());
    ET_ASSIGN(Body loop, block({"else", "endfor"}));
    node.bodies.push_back(std::move(loop));
    node.bodies.emplace_back();
    if (ended == "else") {
        ET_TRY(closeTag());
        ET_ASSIGN(node.bodies.back(), block({"endfor"}));
    }
    ET_TRY(closeTag());
    return node;
}

Result<Node> Parser::parseSet(std::size_t line) {
    Node node{.kind = NodeKind::Set, .line = line};
    do {
        ET_ASSIGN(std::string name, reader.expectName());
        node.names.push_back(std::move(name));
    } while (reader.takes(TokenKind::Operator, ","));
    if (node.names.size() == 1 && reader.takes(TokenKind::Operator, ".")) {
        ET_ASSIGN(node.text, reader.expectName());
    }
    if (reader.takes(TokenKind::Operator, "=")) {
        ET_ASSIGN(ExprPtr value, reader.tuple());
        node.exprs.push_back(std::move(value));
        ET_TRY(closeTag());
        return node;
    }
    if (node.names.size() != 1 || !node.text.empty()) {
        return reader.unexpected("'='");
    }
    node.kind = NodeKind::SetBlock;
    ET_TRY(closeTag());
    ET_ASSIGN(Body body, block({"endset"}));
    node.bodies.push_back(std::move(body));
    ET_TRY(closeTag());
    return node;
}

Result<Node> Parser::parseMacro(std::size_t line) {
    auto macro = std::make_unique<MacroNode>();
    ET_ASSIGN(macro->name, reader.expectName());
    ET_TRY(reader.expect(TokenKind::Operator, "("));
    while (!reader.takes(TokenKind::Operator, ")")) {
        ET_ASSIGN(std::string name, reader.expectName());
        macro->parameters.push_back(std::move(name));
        if (reader.takes(TokenKind::Operator, "=")) {
            ET_ASSIGN(ExprPtr otherwise, reader.expression());
            macro->defaults.push_back(std::move(otherwise));
        } else if (!macro->defaults.empty()) {
            return reader.unexpected("'='");
        }
        if (!reader.takes(TokenKind::Operator, ",") && !reader.sees(TokenKind::Operator, ")")) {
            return reader.unexpected("',' or ')'");
        }
    }
    ET_TRY(closeTag());
    ET_ASSIGN(macro->body, block({"endmacro"}));
    reader.takes(TokenKind::Name);
    ET_TRY(closeTag());
    return Node{.kind = NodeKind::Macro, .line = line, .macro = std::move(macro)};
}

}  // namespace

Result<Body> parse(std::string_view source) {
    ET_ASSIGN(std::vector<Token> tokens, tokensOf(source));
    return Parser(std::move(tokens)).all();
}

}  // namespace et::inspector::tokenizers::detail::jinja
