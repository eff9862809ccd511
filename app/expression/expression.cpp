#include "app/expression/expression.h"

#include "app/expression/functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace et::expression {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::size_t maxLength = 4096;
constexpr std::size_t maxDepth = 64;
/// Also bounds the depth of a chain such as 1 + 1 + 1.
constexpr std::size_t maxNodes = 512;

struct Unit {
    std::string_view name;
    double factor;
};
/// Times are in seconds, sizes in bytes.
constexpr std::array units{
    Unit{"ns", 1e-9}, Unit{"us", 1e-6},  Unit{"ms", 1e-3},       Unit{"s", 1},
    Unit{"B", 1},     Unit{"KiB", 1024}, Unit{"MiB", 1048576.0}, Unit{"GiB", 1073741824.0}};

bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace

/// A recursive-descent parser.
class Parser {
  public:
    explicit Parser(std::string_view text) : source(text) {}

    [[nodiscard]] Result<Expression> whole();

  private:
    using Kind = Expression::Kind;
    using Node = Expression::Node;
    using Index = std::uint32_t;
    struct Word {
        std::string_view spelling;
        Kind kind;
    };

    [[nodiscard]] Result<Index> disjunction();
    [[nodiscard]] Result<Index> conjunction();
    [[nodiscard]] Result<Index> negation();
    [[nodiscard]] Result<Index> comparison();
    [[nodiscard]] Result<Index> chain(std::span<const Word> words, Result<Index> (Parser::*part)());
    [[nodiscard]] Result<Index> sum();
    [[nodiscard]] Result<Index> product();
    [[nodiscard]] Result<Index> sign();
    [[nodiscard]] Result<Index> sliced();
    [[nodiscard]] Result<Index> primary();
    [[nodiscard]] Result<Index> number();
    [[nodiscard]] Result<Index> quoted();
    [[nodiscard]] Result<Index> named();
    [[nodiscard]] Result<Index> call(const FunctionInfo& info, bool hasArguments);

    [[nodiscard]] Result<Index> add(Node node);
    void skipSpaces();
    /// Consumes a symbol, or a word that is not the beginning of a longer one.
    [[nodiscard]] bool take(std::string_view spelling);
    [[nodiscard]] std::optional<Kind> takeAny(std::span<const Word> words);
    [[nodiscard]] std::string_view takeName();
    [[nodiscard]] std::unexpected<core::Error> expected(std::string_view what) const;

    std::string_view source;
    std::size_t at = 0;
    std::size_t depth = 0;
    std::vector<Node> nodes;
};

std::unexpected<core::Error> Parser::expected(std::string_view what) const {
    constexpr std::size_t shown = 20;
    const std::string_view rest = source.substr(at, shown);
    return fail(ErrorCode::InvalidArgument,
                fmt::format("expression, column {}: expected {}, got {}", at + 1, what,
                            rest.empty() ? "the end" : fmt::format("'{}'", core::printable(rest))));
}

Result<Parser::Index> Parser::add(Node node) {
    if (nodes.size() == maxNodes) {
        return fail(ErrorCode::Limit, fmt::format("an expression has at most {} operations", maxNodes));
    }
    nodes.push_back(std::move(node));
    return static_cast<Index>(nodes.size() - 1);
}

void Parser::skipSpaces() {
    while (at < source.size() && (source[at] == ' ' || source[at] == '\t')) {
        ++at;
    }
}

bool Parser::take(std::string_view spelling) {
    skipSpaces();
    if (!source.substr(at).starts_with(spelling)) {
        return false;
    }
    const std::size_t end = at + spelling.size();
    if (isLetter(spelling.front()) && end < source.size() &&
        (isLetter(source[end]) || isDigit(source[end]))) {
        return false;
    }
    at = end;
    return true;
}

std::optional<Parser::Kind> Parser::takeAny(std::span<const Word> words) {
    for (const Word& each : words) {
        if (take(each.spelling)) {
            return each.kind;
        }
    }
    return std::nullopt;
}

Result<Parser::Index> Parser::chain(std::span<const Word> words, Result<Index> (Parser::*part)()) {
    ET_ASSIGN(Index left, (this->*part)());
    while (const auto kind = takeAny(words)) {
        ET_ASSIGN(const Index right, (this->*part)());
        ET_ASSIGN(left, add({.kind = *kind, .operands = {left, right}}));
    }
    return left;
}

Result<Parser::Index> Parser::disjunction() {
    static constexpr std::array words{Word{"or", Kind::Or}, Word{"||", Kind::Or}};
    if (++depth > maxDepth) {
        return fail(ErrorCode::Limit, fmt::format("an expression is nested at most {} times", maxDepth));
    }
    auto result = chain(words, &Parser::conjunction);
    --depth;
    return result;
}

Result<Parser::Index> Parser::conjunction() {
    static constexpr std::array words{Word{"and", Kind::And}, Word{"&&", Kind::And}};
    return chain(words, &Parser::negation);
}

Result<Parser::Index> Parser::negation() {
    std::size_t count = 0;
    while (true) {
        skipSpaces();
        const bool isUnequal = source.substr(at).starts_with("!=");
        if (isUnequal || (!take("not") && !take("!"))) {
            break;
        }
        if (++count > maxDepth) {
            return fail(ErrorCode::Limit, fmt::format("an expression is nested at most {} times", maxDepth));
        }
    }
    ET_ASSIGN(Index operand, comparison());
    for (; count > 0; --count) {
        ET_ASSIGN(operand, add({.kind = Kind::Not, .operands = {operand}}));
    }
    return operand;
}

Result<Parser::Index> Parser::comparison() {
    static constexpr std::array words{Word{"<=", Kind::LessOrEqual}, Word{">=", Kind::GreaterOrEqual},
                                      Word{"==", Kind::Equal},       Word{"!=", Kind::Unequal},
                                      Word{"<", Kind::Less},         Word{">", Kind::Greater}};
    ET_ASSIGN(const Index left, sum());
    const auto kind = takeAny(words);
    if (!kind) {
        return left;
    }
    ET_ASSIGN(const Index right, sum());
    ET_ASSIGN(const Index compared, add({.kind = *kind, .operands = {left, right}}));
    if (takeAny(words)) {
        return fail(ErrorCode::InvalidArgument, "comparisons cannot be chained: write a < b and b < c");
    }
    return compared;
}

Result<Parser::Index> Parser::sum() {
    static constexpr std::array words{Word{"+", Kind::Add}, Word{"-", Kind::Subtract}};
    return chain(words, &Parser::product);
}

Result<Parser::Index> Parser::product() {
    static constexpr std::array words{Word{"*", Kind::Multiply}, Word{"/", Kind::Divide}};
    return chain(words, &Parser::sign);
}

Result<Parser::Index> Parser::sign() {
    std::size_t count = 0;
    while (take("-")) {
        if (++count > maxDepth) {
            return fail(ErrorCode::Limit, fmt::format("an expression is nested at most {} times", maxDepth));
        }
    }
    ET_ASSIGN(Index operand, sliced());
    for (; count > 0; --count) {
        ET_ASSIGN(operand, add({.kind = Kind::Negate, .operands = {operand}}));
    }
    return operand;
}

Result<Parser::Index> Parser::sliced() {
    ET_ASSIGN(Index operand, primary());
    while (at < source.size() && source[at] == '[') {
        const std::size_t end = source.find(']', at);
        if (end == std::string_view::npos) {
            return expected("a slice that ends with ']'");
        }
        ET_ASSIGN(std::vector<Range> ranges, parseSlice(source.substr(at, end + 1 - at)));
        at = end + 1;
        ET_ASSIGN(operand, add({.kind = Kind::Slice, .operands = {operand}, .ranges = std::move(ranges)}));
    }
    return operand;
}

Result<Parser::Index> Parser::number() {
    double value = 0;
    const auto [end, error] = std::from_chars(source.begin() + at, source.end(), value);
    if (error != std::errc{}) {
        return expected("a number of at most 1.8e308");
    }
    at = static_cast<std::size_t>(end - source.begin());
    const std::size_t begin = at;
    while (at < source.size() && (isLetter(source[at]) || isDigit(source[at]))) {
        ++at;
    }
    const std::string_view unit = source.substr(begin, at - begin);
    if (unit.empty()) {
        return add({.kind = Kind::Number, .number = value});
    }
    const auto* const found = std::ranges::find(units, unit, &Unit::name);
    if (found == units.end()) {
        at = begin;
        return expected("an operator or a unit (ns, us, ms, s, KiB, MiB, GiB)");
    }
    return add({.kind = Kind::Number, .number = value * found->factor});
}

Result<Parser::Index> Parser::quoted() {
    const std::size_t end = source.find(source[at], at + 1);
    if (end == std::string_view::npos) {
        return expected("a text that ends with its quotation mark");
    }
    std::string text(source.substr(at + 1, end - at - 1));
    at = end + 1;
    return add({.kind = Kind::Text, .text = std::move(text)});
}

std::string_view Parser::takeName() {
    const std::size_t begin = at;
    if (source[at] == '%') {
        ++at;
    }
    const auto continues = [&] {
        if (at >= source.size()) {
            return false;
        }
        const bool joins = source[at] == '.' || source[at] == ':';
        const char next = joins && at + 1 < source.size() ? source[at + 1] : source[at];
        return isLetter(next) || isDigit(next);
    };
    while (continues()) {
        ++at;
    }
    return source.substr(begin, at - begin);
}

Result<Parser::Index> Parser::call(const FunctionInfo& info, bool hasArguments) {
    Node node{.kind = Kind::Call, .function = info.function};
    if (hasArguments && !take(")")) {
        do {
            ET_ASSIGN(const Index argument, disjunction());
            node.operands.push_back(argument);
        } while (take(","));
        if (!take(")")) {
            return expected("',' or ')'");
        }
    }
    const std::size_t given = node.operands.size();
    if (given < info.least || given > info.most) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{}() takes {} argument{}, got {}", info.name,
                                info.least == info.most ? fmt::format("{}", info.most)
                                                        : fmt::format("{} or {}", info.least, info.most),
                                info.most == 1 ? "" : "s", given));
    }
    if (info.version != ValueVersion::Own && given == 1 && nodes[node.operands[0]].kind != Kind::Name) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{}() takes the name of a value, not an expression", info.name));
    }
    return add(std::move(node));
}

Result<Parser::Index> Parser::named() {
    const std::size_t begin = at;
    const std::string_view name = takeName();
    if (name == "true" || name == "false") {
        return add({.kind = Kind::Number, .number = name == "true" ? 1.0 : 0.0});
    }
    const auto function = functionNamed(name);
    const bool hasArguments = take("(");
    if (function && (hasArguments || infoOf(*function).least == 0)) {
        return call(infoOf(*function), hasArguments);
    }
    if (hasArguments) {
        at = begin;
        return expected("a function (et-inspect debug: 'help expressions')");
    }
    return add({.kind = Kind::Name, .text = std::string(name)});
}

Result<Parser::Index> Parser::primary() {
    skipSpaces();
    if (at >= source.size()) {
        return expected("a value");
    }
    const char first = source[at];
    const char second = at + 1 < source.size() ? source[at + 1] : ' ';
    if (isDigit(first) || (first == '.' && isDigit(second))) {
        return number();
    }
    if (first == '"' || first == '\'') {
        return quoted();
    }
    if (isLetter(first) || (first == '%' && isDigit(second))) {
        return named();
    }
    if (take("(")) {
        ET_ASSIGN(const Index inner, disjunction());
        if (!take(")")) {
            return expected("')'");
        }
        return inner;
    }
    return expected("a value");
}

Result<Expression> Parser::whole() {
    if (source.size() > maxLength) {
        return fail(ErrorCode::Limit, fmt::format("an expression has at most {} characters", maxLength));
    }
    ET_TRY(disjunction());
    skipSpaces();
    if (at < source.size()) {
        return expected("an operator or the end");
    }
    Expression result;
    result.source = source;
    result.nodes = std::move(nodes);
    return result;
}

Result<Expression> Expression::parse(std::string_view text) {
    return Parser(text).whole();
}

std::vector<std::string> Expression::names() const {
    std::vector<std::string> found;
    for (const Node& each : nodes) {
        const bool readsOut = each.kind == Kind::Call && each.operands.empty();
        const std::string name = each.kind == Kind::Name ? each.text : readsOut ? "out" : "";
        if (!name.empty() && !std::ranges::contains(found, name)) {
            found.push_back(name);
        }
    }
    return found;
}

bool Expression::reads(ValueVersion version) const {
    return std::ranges::any_of(nodes, [version](const Node& each) {
        return each.kind == Kind::Call && infoOf(each.function).version == version;
    });
}

std::string_view Expression::onlyName() const {
    return nodes.size() == 1 && nodes.front().kind == Kind::Name ? std::string_view(nodes.front().text)
                                                                 : std::string_view();
}

}  // namespace et::expression
