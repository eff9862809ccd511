#include "app/expression/expression.h"
#include "app/expression/functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace et::expression {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

bool isNumber(const Operand& value) {
    return std::holds_alternative<double>(value) || std::holds_alternative<bool>(value);
}

double numberOf(const Operand& value) {
    const auto* const number = std::get_if<double>(&value);
    return number != nullptr ? *number : (std::get<bool>(value) ? 1.0 : 0.0);
}

Operand arrayOperand(Array array) {
    return std::make_shared<const Array>(std::move(array));
}

}  // namespace

/// Computes the nodes of an expression, each after its operands.
class Evaluation {
  public:
    Evaluation(const Expression& expression, const Scope& names) : whole(expression), scope(names) {}

    [[nodiscard]] Result<Operand> valueOf(std::uint32_t index) const;

  private:
    using Kind = Expression::Kind;
    using Node = Expression::Node;

    [[nodiscard]] Result<Operand> call(const Node& node) const;
    [[nodiscard]] Result<Operand> otherVersion(Function function, std::string_view name) const;
    [[nodiscard]] Result<Operand> logic(const Node& node) const;
    [[nodiscard]] Result<Operand> binary(const Node& node) const;
    [[nodiscard]] Result<Operand> slice(const Node& node) const;
    [[nodiscard]] static Result<Operand> compareTexts(Kind kind, const Operand& left, const Operand& right);
    [[nodiscard]] static double apply(Kind kind, double left, double right);
    [[nodiscard]] static bool isComparison(Kind kind) { return kind >= Kind::Less; }

    const Expression& whole;
    const Scope& scope;
};

double Evaluation::apply(Kind kind, double left, double right) {
    switch (kind) {
        case Kind::Add:
            return left + right;
        case Kind::Subtract:
            return left - right;
        case Kind::Multiply:
            return left * right;
        case Kind::Divide:
            return left / right;
        case Kind::Less:
            return left < right ? 1 : 0;
        case Kind::LessOrEqual:
            return left <= right ? 1 : 0;
        case Kind::Greater:
            return left > right ? 1 : 0;
        case Kind::GreaterOrEqual:
            return left >= right ? 1 : 0;
        case Kind::Equal:
            return left == right ? 1 : 0;
        default:
            return left != right ? 1 : 0;
    }
}

Result<Operand> Evaluation::compareTexts(Kind kind, const Operand& left, const Operand& right) {
    const auto* const text = std::get_if<std::string>(&left);
    const auto* const pattern = std::get_if<std::string>(&right);
    if (text == nullptr || pattern == nullptr) {
        return fail(ErrorCode::InvalidArgument, "a text can be compared only with a text");
    }
    if (kind != Kind::Equal && kind != Kind::Unequal) {
        return fail(ErrorCode::InvalidArgument, "texts can be compared only with == and !=");
    }
    return Operand(matchesWildcards(*text, *pattern) == (kind == Kind::Equal));
}

Result<Operand> Evaluation::binary(const Node& node) const {
    ET_ASSIGN(const Operand left, valueOf(node.operands[0]));
    ET_ASSIGN(const Operand right, valueOf(node.operands[1]));
    if (std::holds_alternative<std::string>(left) || std::holds_alternative<std::string>(right)) {
        return compareTexts(node.kind, left, right);
    }
    if (isNumber(left) && isNumber(right)) {
        const double result = apply(node.kind, numberOf(left), numberOf(right));
        return isComparison(node.kind) ? Operand(result != 0) : Operand(result);
    }
    ET_ASSIGN(const auto a, arrayOf(left));
    ET_ASSIGN(const auto b, arrayOf(right));
    const bool spreadsLeft = isNumber(left);
    const bool spreadsRight = isNumber(right);
    if (!spreadsLeft && !spreadsRight && a->sizes != b->sizes) {
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("sizes {} and {} differ", core::sizesText(a->sizes), core::sizesText(b->sizes)));
    }
    Array result = spreadsLeft ? *b : *a;
    result.dtype = isComparison(node.kind) ? core::ScalarType::Bool : core::ScalarType::Double;
    for (std::size_t i = 0; i < result.numbers.size(); ++i) {
        result.numbers[i] =
            apply(node.kind, a->numbers[spreadsLeft ? 0 : i], b->numbers[spreadsRight ? 0 : i]);
    }
    return arrayOperand(std::move(result));
}

Result<Operand> Evaluation::logic(const Node& node) const {
    ET_ASSIGN(const Operand left, valueOf(node.operands[0]));
    ET_ASSIGN(const bool first, truthOf(left));
    if (node.kind == Kind::Not) {
        return Operand(!first);
    }
    if (first == (node.kind == Kind::Or)) {
        return Operand(first);
    }
    ET_ASSIGN(const Operand right, valueOf(node.operands[1]));
    ET_ASSIGN(const bool second, truthOf(right));
    return Operand(second);
}

Result<Operand> Evaluation::slice(const Node& node) const {
    ET_ASSIGN(const Operand value, valueOf(node.operands[0]));
    ET_ASSIGN(const auto array, arrayOf(value));
    ET_ASSIGN(Array part, sliced(*array, node.ranges));
    if (part.sizes.empty() && part.numbers.size() == 1) {
        return Operand(part.numbers.front());
    }
    return arrayOperand(std::move(part));
}

Result<Operand> Evaluation::otherVersion(Function function, std::string_view name) const {
    const bool isPrevious = infoOf(function).version == ValueVersion::Previous;
    ET_ASSIGN(Operand other, isPrevious ? scope.previous(name) : scope.reference(name));
    if (function == Function::Previous || function == Function::Reference) {
        return other;
    }
    ET_ASSIGN(const Operand value, scope.value(name));
    return computeDifference(function, value, other);
}

Result<Operand> Evaluation::call(const Node& node) const {
    const FunctionInfo& info = infoOf(node.function);
    if (info.version != ValueVersion::Own) {
        return otherVersion(node.function,
                            node.operands.empty() ? "out" : whole.nodes[node.operands[0]].text);
    }
    std::vector<Operand> arguments;
    for (const std::uint32_t each : node.operands) {
        ET_ASSIGN(Operand value, valueOf(each));
        arguments.push_back(std::move(value));
    }
    if (arguments.empty()) {
        ET_ASSIGN(Operand value, scope.value("out"));
        arguments.push_back(std::move(value));
    }
    return compute(node.function, arguments);
}

Result<Operand> Evaluation::valueOf(std::uint32_t index) const {
    const Node& node = whole.nodes[index];
    switch (node.kind) {
        case Kind::Number:
            return Operand(node.number);
        case Kind::Text:
            return Operand(node.text);
        case Kind::Name:
            return scope.value(node.text);
        case Kind::Call:
            return call(node);
        case Kind::Slice:
            return slice(node);
        case Kind::Not:
        case Kind::And:
        case Kind::Or:
            return logic(node);
        case Kind::Negate: {
            ET_ASSIGN(const Operand value, valueOf(node.operands[0]));
            ET_ASSIGN(const auto array, arrayOf(value));
            if (isNumber(value)) {
                return Operand(-array->numbers.front());
            }
            Array result = *array;
            std::ranges::transform(result.numbers, result.numbers.begin(), std::negate<>());
            return arrayOperand(std::move(result));
        }
        default:
            return binary(node);
    }
}

Result<Operand> Scope::reference(std::string_view name) const {
    return fail(ErrorCode::Unsupported, fmt::format("'{}' has no reference here", core::printable(name)));
}

Result<Operand> Scope::previous(std::string_view name) const {
    return fail(ErrorCode::Unsupported,
                fmt::format("'{}' has no previous value here", core::printable(name)));
}

Result<Operand> Expression::evaluate(const Scope& scope) const {
    if (nodes.empty()) {
        return fail(ErrorCode::InvalidArgument, "the expression is empty");
    }
    return Evaluation(*this, scope).valueOf(static_cast<std::uint32_t>(nodes.size() - 1));
}

Result<bool> Expression::holds(const Scope& scope) const {
    ET_ASSIGN(const Operand value, evaluate(scope));
    return truthOf(value);
}

Result<bool> truthOf(const Operand& value) {
    if (const auto* const text = std::get_if<std::string>(&value)) {
        return !text->empty();
    }
    if (const auto* const array = std::get_if<std::shared_ptr<const Array>>(&value)) {
        if ((*array)->numbers.size() != 1) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("a condition needs one value, got sizes {}: use any() or all()",
                                    core::sizesText((*array)->sizes)));
        }
        const double only = (*array)->numbers.front();
        return only != 0 && !std::isnan(only);
    }
    const double number = numberOf(value);
    return number != 0 && !std::isnan(number);
}

bool matchesWildcards(std::string_view text, std::string_view pattern) {
    std::size_t at = 0;
    std::size_t i = 0;
    std::size_t star = std::string_view::npos;
    std::size_t retry = 0;
    while (i < text.size()) {
        if (at < pattern.size() && pattern[at] == '*') {
            star = at++;
            retry = i;
        } else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == text[i])) {
            ++at;
            ++i;
        } else if (star != std::string_view::npos) {
            at = star + 1;
            i = ++retry;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

}  // namespace et::expression
