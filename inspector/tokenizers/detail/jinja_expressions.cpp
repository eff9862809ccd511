#include "inspector/tokenizers/detail/jinja_expressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace et::inspector::tokenizers::detail::jinja {

using core::ErrorCode;
using core::Result;

namespace {

constexpr std::size_t mostLevels = 64;
/// Maximum number of consecutive products, filters or tests, each of which adds a level to the tree.
constexpr std::size_t mostInARow = 256;

ExprPtr make(ExprKind kind, std::size_t line, std::string text = {}) {
    auto made = std::make_unique<Expr>();
    made->kind = kind;
    made->line = line;
    made->text = std::move(text);
    return made;
}

ExprPtr make(ExprKind kind, std::size_t line, std::string text, ExprPtr first, ExprPtr second = nullptr) {
    auto made = make(kind, line, std::move(text));
    made->parts.push_back(std::move(first));
    if (second != nullptr) {
        made->parts.push_back(std::move(second));
    }
    return made;
}

ExprPtr literal(Value value, std::size_t line) {
    auto made = make(ExprKind::Literal, line);
    made->literal = std::move(value);
    return made;
}

}  // namespace

std::unexpected<core::Error> TokenCursor::unexpected(std::string_view expected) const {
    constexpr std::array<std::string_view, 11> kinds{"text", "'{{'", "'}}'", "'{%'", "'%}'",   "",
                                                     "",     "",     "",     "",     "the end"};
    const Token& token = peek();
    const std::string_view kind = kinds[static_cast<std::size_t>(token.kind)];
    return templateError(
        ErrorCode::Format,
        fmt::format("expected {}, got {}", expected,
                    kind.empty() ? "'" + core::printable(token.text) + "'" : std::string(kind)),
        token.line);
}

Result<> TokenCursor::expect(TokenKind kind, std::string_view text) {
    if (!takes(kind, text)) {
        return unexpected(kind == TokenKind::OutputEnd  ? "'}}'"
                          : kind == TokenKind::BlockEnd ? "'%}'"
                                                        : "'" + std::string(text) + "'");
    }
    return {};
}

Result<std::string> TokenCursor::expectName() {
    if (!sees(TokenKind::Name)) {
        return unexpected("a name");
    }
    return take().text;
}

Result<> TokenCursor::mayNest() const {
    return depth < mostLevels
               ? Result<>()
               : templateError(ErrorCode::Limit, fmt::format("nested more than {} levels deep", mostLevels),
                               peek().line);
}

Result<ExprPtr> TokenReader::tuple() {
    const std::size_t line = peek().line;
    ET_ASSIGN(ExprPtr first, expression());
    if (!sees(TokenKind::Operator, ",")) {
        return first;
    }
    ExprPtr list = make(ExprKind::List, line, {}, std::move(first));
    while (takes(TokenKind::Operator, ",")) {
        ET_ASSIGN(ExprPtr next, expression());
        list->parts.push_back(std::move(next));
    }
    return list;
}

Result<ExprPtr> TokenReader::expression() {
    ET_TRY(mayNest());
    const Level level(depth);
    const std::size_t line = peek().line;
    ET_ASSIGN(ExprPtr then, either());
    if (!takes(TokenKind::Name, "if")) {
        return then;
    }
    ET_ASSIGN(ExprPtr condition, either());
    ExprPtr otherwise;
    if (takes(TokenKind::Name, "else")) {
        ET_ASSIGN(otherwise, expression());
    }
    ExprPtr made = make(ExprKind::Condition, line, {}, std::move(condition), std::move(then));
    made->parts.push_back(std::move(otherwise));
    return made;
}

Result<ExprPtr> TokenReader::either() {
    ET_ASSIGN(ExprPtr left, both());
    for (std::size_t count = 0; sees(TokenKind::Name, "or") && count < mostInARow; ++count) {
        const std::size_t line = take().line;
        ET_ASSIGN(ExprPtr right, both());
        left = make(ExprKind::Or, line, {}, std::move(left), std::move(right));
    }
    return left;
}

Result<ExprPtr> TokenReader::both() {
    ET_ASSIGN(ExprPtr left, negation());
    for (std::size_t count = 0; sees(TokenKind::Name, "and") && count < mostInARow; ++count) {
        const std::size_t line = take().line;
        ET_ASSIGN(ExprPtr right, negation());
        left = make(ExprKind::And, line, {}, std::move(left), std::move(right));
    }
    return left;
}

Result<ExprPtr> TokenReader::negation() {
    if (!sees(TokenKind::Name, "not")) {
        return comparison();
    }
    ET_TRY(mayNest());
    const Level level(depth);
    const std::size_t line = take().line;
    ET_ASSIGN(ExprPtr of, negation());
    return make(ExprKind::Unary, line, "not", std::move(of));
}

Result<ExprPtr> TokenReader::comparison() {
    ET_ASSIGN(ExprPtr left, sum());
    const std::size_t line = peek().line;
    for (const std::string_view sign : {"==", "!=", "<=", ">=", "<", ">"}) {
        if (takes(TokenKind::Operator, sign)) {
            ET_ASSIGN(ExprPtr right, sum());
            return make(ExprKind::Binary, line, std::string(sign), std::move(left), std::move(right));
        }
    }
    const bool isNot =
        sees(TokenKind::Name, "not") && peek(1).kind == TokenKind::Name && peek(1).text == "in";
    if (isNot) {
        take();
    }
    if (!takes(TokenKind::Name, "in")) {
        return left;
    }
    ET_ASSIGN(ExprPtr right, sum());
    ExprPtr in = make(ExprKind::Binary, line, "in", std::move(left), std::move(right));
    return isNot ? make(ExprKind::Unary, line, "not", std::move(in)) : std::move(in);
}

Result<ExprPtr> TokenReader::leftToRight(Parser next, std::initializer_list<std::string_view> signs) {
    ET_ASSIGN(ExprPtr left, (this->*next)());
    for (std::size_t count = 0; count < mostInARow; ++count) {
        const auto* const sign = std::ranges::find_if(
            signs, [this](std::string_view each) { return sees(TokenKind::Operator, each); });
        if (sign == signs.end()) {
            return left;
        }
        const std::size_t line = take().line;
        ET_ASSIGN(ExprPtr right, (this->*next)());
        left = make(ExprKind::Binary, line, std::string(*sign), std::move(left), std::move(right));
    }
    return templateError(ErrorCode::Limit, "an expression has too many operators", peek().line);
}

Result<ExprPtr> TokenReader::sum() {
    return leftToRight(&TokenReader::joined, {"+", "-"});
}
Result<ExprPtr> TokenReader::joined() {
    return leftToRight(&TokenReader::product, {"~"});
}
Result<ExprPtr> TokenReader::product() {
    return leftToRight(&TokenReader::unary, {"*", "//", "/", "%"});
}

Result<ExprPtr> TokenReader::unary() {
    return signedPart(true);
}

/// A sign binds tighter than filters and tests: "-3|abs" is 3.
Result<ExprPtr> TokenReader::signedPart(bool withFilters) {
    const std::size_t line = peek().line;
    if (!sees(TokenKind::Operator, "-") && !sees(TokenKind::Operator, "+")) {
        ET_ASSIGN(ExprPtr of, primary());
        return postfix(std::move(of), withFilters);
    }
    ET_TRY(mayNest());
    const Level level(depth);
    std::string sign = take().text;
    ET_ASSIGN(ExprPtr of, signedPart(false));
    return postfix(make(ExprKind::Unary, line, std::move(sign), std::move(of)), withFilters);
}

Result<ExprPtr> TokenReader::postfix(ExprPtr of, bool withFilters) {
    for (std::size_t count = 0; count < mostInARow; ++count) {
        const std::size_t line = peek().line;
        if (takes(TokenKind::Operator, ".")) {
            ET_ASSIGN(std::string name, expectName());
            of = make(ExprKind::Attribute, line, std::move(name), std::move(of));
        } else if (takes(TokenKind::Operator, "[")) {
            ET_ASSIGN(of, subscript(std::move(of)));
        } else if (takes(TokenKind::Operator, "(")) {
            of = make(ExprKind::Call, line, {}, std::move(of));
            ET_TRY(arguments(*of));
        } else if (withFilters && takes(TokenKind::Operator, "|")) {
            ET_ASSIGN(of, filtered(std::move(of)));
        } else if (withFilters && takes(TokenKind::Name, "is")) {
            ET_ASSIGN(of, tested(std::move(of)));
        } else {
            return of;
        }
    }
    return templateError(ErrorCode::Limit, "an expression has too many parts", peek().line);
}

/// After "[": an index or start:stop:step.
Result<ExprPtr> TokenReader::subscript(ExprPtr of) {
    const std::size_t line = peek().line;
    std::array<ExprPtr, 3> bounds;
    std::size_t colons = 0;
    while (!sees(TokenKind::Operator, "]")) {
        if (takes(TokenKind::Operator, ":") && ++colons < bounds.size()) {
            continue;
        }
        if (colons >= bounds.size() || bounds.at(colons) != nullptr) {
            return unexpected("']'");
        }
        ET_ASSIGN(bounds.at(colons), expression());
    }
    take();
    if (colons == 0) {
        return bounds[0] == nullptr
                   ? unexpected("an index")
                   : Result<ExprPtr>(make(ExprKind::Item, line, {}, std::move(of), std::move(bounds[0])));
    }
    ExprPtr slice = make(ExprKind::Slice, line, {}, std::move(of));
    for (ExprPtr& bound : bounds) {
        slice->parts.push_back(std::move(bound));
    }
    return slice;
}

Result<ExprPtr> TokenReader::filtered(ExprPtr of) {
    const std::size_t line = peek().line;
    ET_ASSIGN(std::string name, expectName());
    ExprPtr filter = make(ExprKind::Filter, line, std::move(name), std::move(of));
    if (takes(TokenKind::Operator, "(")) {
        ET_TRY(arguments(*filter));
    }
    return filter;
}

/// A test may have one argument without parentheses: "is equalto 3".
Result<ExprPtr> TokenReader::tested(ExprPtr of) {
    const std::size_t line = peek().line;
    const bool isNot = takes(TokenKind::Name, "not");
    if (!sees(TokenKind::Name) && !sees(TokenKind::Operator)) {
        return unexpected("a test");
    }
    ExprPtr test = make(ExprKind::Test, line, take().text, std::move(of));
    const bool follows =
        sees(TokenKind::String) || sees(TokenKind::Integer) || sees(TokenKind::Float) ||
        sees(TokenKind::Operator, "[") ||
        (sees(TokenKind::Name) &&
         !std::ranges::contains(std::array<std::string_view, 7>{"and", "or", "else", "if", "is", "not", "in"},
                                peek().text));
    if (takes(TokenKind::Operator, "(")) {
        ET_TRY(arguments(*test));
    } else if (follows) {
        ET_ASSIGN(ExprPtr argument, primary());
        test->parts.push_back(std::move(argument));
    }
    return isNot ? make(ExprKind::Unary, line, "not", std::move(test)) : std::move(test);
}

Result<> TokenReader::arguments(Expr& call) {
    while (!takes(TokenKind::Operator, ")")) {
        const bool isNamed =
            sees(TokenKind::Name) && peek(1).kind == TokenKind::Operator && peek(1).text == "=";
        if (isNamed) {
            call.keywords.push_back(take().text);
            take();
        } else if (!call.keywords.empty()) {
            return unexpected("NAME=");
        }
        ET_ASSIGN(ExprPtr argument, expression());
        call.parts.push_back(std::move(argument));
        if (!takes(TokenKind::Operator, ",") && !sees(TokenKind::Operator, ")")) {
            return unexpected("',' or ')'");
        }
    }
    return {};
}

Result<ExprPtr> TokenReader::primary() {
    const std::size_t line = peek().line;
    if (sees(TokenKind::Integer) || sees(TokenKind::Float)) {
        return number();
    }
    if (sees(TokenKind::String)) {
        std::string text;
        while (sees(TokenKind::String)) {
            text += take().text;
        }
        return literal(std::move(text), line);
    }
    if (sees(TokenKind::Name)) {
        const std::string name = take().text;
        if (name == "true" || name == "True" || name == "false" || name == "False") {
            return literal(name[0] == 't' || name[0] == 'T', line);
        }
        return name == "none" || name == "None" ? literal(None{}, line) : make(ExprKind::Name, line, name);
    }
    if (sees(TokenKind::Operator, "(") || sees(TokenKind::Operator, "[")) {
        return brackets();
    }
    if (sees(TokenKind::Operator, "{")) {
        return dictionary();
    }
    return unexpected("an expression");
}

Result<ExprPtr> TokenReader::number() {
    const Token token = take();
    const char* const first = token.text.data();
    const char* const last = first + token.text.size();
    std::int64_t whole = 0;
    double real = 0;
    const bool isWhole = token.kind == TokenKind::Integer;
    const auto read =
        isWhole ? std::from_chars(first, last, whole).ec : std::from_chars(first, last, real).ec;
    if (read != std::errc{}) {
        return templateError(ErrorCode::Limit, fmt::format("{} is too large", token.text), token.line);
    }
    return isWhole ? literal(whole, token.line) : literal(real, token.line);
}

/// A list, a tuple or an expression in parentheses.
Result<ExprPtr> TokenReader::brackets() {
    const Token open = take();
    const std::string_view close = open.text == "(" ? ")" : "]";
    ExprPtr list = make(ExprKind::List, open.line);
    bool isTuple = open.text == "[";
    while (!takes(TokenKind::Operator, close)) {
        ET_ASSIGN(ExprPtr item, expression());
        list->parts.push_back(std::move(item));
        if (takes(TokenKind::Operator, ",")) {
            isTuple = true;
        } else if (!sees(TokenKind::Operator, close)) {
            return unexpected("',' or '" + std::string(close) + "'");
        }
    }
    return isTuple || list->parts.empty() ? std::move(list) : std::move(list->parts.front());
}

Result<ExprPtr> TokenReader::dictionary() {
    ExprPtr dict = make(ExprKind::Dict, take().line);
    while (!takes(TokenKind::Operator, "}")) {
        ET_ASSIGN(ExprPtr key, expression());
        ET_TRY(expect(TokenKind::Operator, ":"));
        ET_ASSIGN(ExprPtr value, expression());
        dict->parts.push_back(std::move(key));
        dict->parts.push_back(std::move(value));
        if (!takes(TokenKind::Operator, ",") && !sees(TokenKind::Operator, "}")) {
            return unexpected("',' or '}'");
        }
    }
    return dict;
}

}  // namespace et::inspector::tokenizers::detail::jinja
