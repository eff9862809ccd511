#include "etrecord/size_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace et::etrecord {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr int maxSizeDepth = 64;

bool isNameStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

std::unexpected<core::Error> tooLarge() {
    return fail(ErrorCode::Limit, "a size exceeds 64 bits");
}
std::unexpected<core::Error> divisionByZero() {
    return fail(ErrorCode::InvalidArgument, "a size is divided by 0");
}

Result<std::int64_t> sum(std::int64_t left, std::int64_t right) {
    std::int64_t value = 0;
    return __builtin_add_overflow(left, right, &value) ? Result<std::int64_t>(tooLarge()) : value;
}
Result<std::int64_t> difference(std::int64_t left, std::int64_t right) {
    std::int64_t value = 0;
    return __builtin_sub_overflow(left, right, &value) ? Result<std::int64_t>(tooLarge()) : value;
}
Result<std::int64_t> product(std::int64_t left, std::int64_t right) {
    std::int64_t value = 0;
    return __builtin_mul_overflow(left, right, &value) ? Result<std::int64_t>(tooLarge()) : value;
}
Result<std::int64_t> floorQuotient(std::int64_t left, std::int64_t right) {
    if (right == 0) {
        return divisionByZero();
    }
    if (right == -1) {
        return difference(0, left);
    }
    const std::int64_t quotient = left / right;
    return left % right != 0 && (left < 0) != (right < 0) ? quotient - 1 : quotient;
}
Result<std::int64_t> ceilQuotient(std::int64_t left, std::int64_t right) {
    ET_ASSIGN(const std::int64_t negated, difference(0, left));
    ET_ASSIGN(const std::int64_t quotient, floorQuotient(negated, right));
    return difference(0, quotient);
}
Result<std::int64_t> remainder(std::int64_t left, std::int64_t right) {
    ET_ASSIGN(const std::int64_t quotient, floorQuotient(left, right));
    ET_ASSIGN(const std::int64_t whole, product(quotient, right));
    return difference(left, whole);
}
Result<std::int64_t> power(std::int64_t base, std::int64_t exponent) {
    constexpr std::int64_t maxExponent = 62;
    if (exponent < 0 || exponent > maxExponent) {
        return tooLarge();
    }
    std::int64_t value = 1;
    for (std::int64_t i = 0; i < exponent; ++i) {
        ET_ASSIGN(value, product(value, base));
    }
    return value;
}
Result<std::int64_t> larger(std::int64_t left, std::int64_t right) {
    return std::max(left, right);
}
Result<std::int64_t> smaller(std::int64_t left, std::int64_t right) {
    return std::min(left, right);
}

using Combine = Result<std::int64_t> (*)(std::int64_t, std::int64_t);

/// Max and Min accept any number of arguments, the others two.
struct SizeFunction {
    std::string_view name;
    Combine combine;
    bool takesMany = false;
};
constexpr std::array sizeFunctions{
    SizeFunction{"Max", larger, true},       SizeFunction{"Min", smaller, true},
    SizeFunction{"Mod", remainder},          SizeFunction{"PythonMod", remainder},
    SizeFunction{"FloorDiv", floorQuotient}, SizeFunction{"CleanDiv", floorQuotient},
    SizeFunction{"CeilDiv", ceilQuotient},
};

/// Operators of one precedence level; left-associative.
struct SizeOperator {
    std::string_view text;
    Combine combine;
};
constexpr std::array sums{SizeOperator{"+", sum}, SizeOperator{"-", difference}};
constexpr std::array products{SizeOperator{"//", floorQuotient}, SizeOperator{"*", product},
                              SizeOperator{"%", remainder}};

/// Recursive-descent parser that evaluates the expression while parsing.
class SizeReader {
  public:
    SizeReader(std::string_view expression, const SymbolValues& values) : text(expression), symbols(values) {}

    Result<std::int64_t> whole() {
        ET_ASSIGN(const std::int64_t value, sumOf());
        skipSpace();
        return at == text.size() ? Result<std::int64_t>(value) : Result<std::int64_t>(unexpected());
    }

  private:
    void skipSpace() {
        while (at < text.size() && text[at] == ' ') {
            ++at;
        }
    }
    bool take(std::string_view token) {
        skipSpace();
        // Do not match "*" as the first half of "**".
        if (!text.substr(at).starts_with(token) || (token == "*" && text.substr(at).starts_with("**"))) {
            return false;
        }
        at += token.size();
        return true;
    }
    [[nodiscard]] std::unexpected<core::Error> unexpected() const {
        return fail(ErrorCode::Format,
                    fmt::format("size \"{}\": unexpected text at character {}", core::printable(text), at));
    }

    template <std::size_t count>
    std::optional<Combine> takeOne(const std::array<SizeOperator, count>& operators) {
        for (const SizeOperator& each : operators) {
            if (take(each.text)) {
                return each.combine;
            }
        }
        return {};
    }

    // NOLINTBEGIN(misc-no-recursion): depth is counted
    Result<std::int64_t> sumOf() {
        if (++depth > maxSizeDepth) {
            return fail(ErrorCode::Limit, fmt::format("a size is nested deeper than {}", maxSizeDepth));
        }
        ET_ASSIGN(std::int64_t value, productOf());
        while (const auto combine = takeOne(sums)) {
            ET_ASSIGN(const std::int64_t next, productOf());
            ET_ASSIGN(value, (*combine)(value, next));
        }
        --depth;
        return value;
    }
    Result<std::int64_t> productOf() {
        ET_ASSIGN(std::int64_t value, signedOf());
        while (const auto combine = takeOne(products)) {
            ET_ASSIGN(const std::int64_t next, signedOf());
            ET_ASSIGN(value, (*combine)(value, next));
        }
        return value;
    }
    Result<std::int64_t> signedOf() {
        bool isNegative = false;
        while (take("-")) {
            isNegative = !isNegative;
        }
        ET_ASSIGN(const std::int64_t value, powerOf());
        return isNegative ? difference(0, value) : Result<std::int64_t>(value);
    }
    Result<std::int64_t> powerOf() {
        ET_ASSIGN(const std::int64_t base, atom());
        if (!take("**")) {
            return base;
        }
        ET_ASSIGN(const std::int64_t exponent, atom());
        return power(base, exponent);
    }
    Result<std::int64_t> atom() {
        if (take("(")) {
            ET_ASSIGN(const std::int64_t value, sumOf());
            return take(")") ? Result<std::int64_t>(value) : Result<std::int64_t>(unexpected());
        }
        skipSpace();
        if (at < text.size() && isDigit(text[at])) {
            return number();
        }
        return at < text.size() && isNameStart(text[at]) ? named() : Result<std::int64_t>(unexpected());
    }
    Result<std::int64_t> number() {
        std::int64_t value = 0;
        const char* const last = text.data() + text.size();
        const auto [end, error] = std::from_chars(text.data() + at, last, value);
        if (error != std::errc{}) {
            return tooLarge();
        }
        at = static_cast<std::size_t>(end - text.data());
        return value;
    }
    Result<std::int64_t> named() {
        const std::size_t start = at;
        while (at < text.size() && (isNameStart(text[at]) || isDigit(text[at]))) {
            ++at;
        }
        const std::string_view name = text.substr(start, at - start);
        if (take("(")) {
            return call(name);
        }
        const auto found = symbols.find(name);
        if (found == symbols.end()) {
            return fail(ErrorCode::NotFound, fmt::format("size \"{}\": no value for \"{}\"",
                                                         core::printable(text), core::printable(name)));
        }
        return found->second;
    }
    Result<std::int64_t> call(std::string_view name) {
        const auto* const function = std::ranges::find(sizeFunctions, name, &SizeFunction::name);
        if (function == sizeFunctions.end()) {
            return fail(ErrorCode::Unsupported, fmt::format("size \"{}\": unknown function \"{}\"",
                                                            core::printable(text), core::printable(name)));
        }
        ET_ASSIGN(std::int64_t value, sumOf());
        std::size_t arguments = 1;
        for (; take(","); ++arguments) {
            ET_ASSIGN(const std::int64_t next, sumOf());
            ET_ASSIGN(value, function->combine(value, next));
        }
        const bool isCountRight = arguments == 2 || function->takesMany;
        return isCountRight && take(")") ? Result<std::int64_t>(value) : Result<std::int64_t>(unexpected());
    }
    // NOLINTEND(misc-no-recursion)

    std::string_view text;
    const SymbolValues& symbols;
    std::size_t at = 0;
    int depth = 0;
};

}  // namespace

Result<std::int64_t> evaluateSize(std::string_view expression, const SymbolValues& symbols) {
    return SizeReader(expression, symbols).whole();
}

std::vector<std::string> findSymbols(std::string_view expression) {
    std::vector<std::string> names;
    for (std::size_t at = 0; at < expression.size();) {
        std::size_t end = at;
        while (end < expression.size() && (isNameStart(expression[end]) || isDigit(expression[end]))) {
            ++end;
        }
        const std::string name(expression.substr(at, end - at));
        const bool isFunction = end < expression.size() && expression[end] == '(';
        if (!name.empty() && isNameStart(name.front()) && !isFunction &&
            !std::ranges::contains(names, name)) {
            names.push_back(name);
        }
        at = end == at ? at + 1 : end;
    }
    return names;
}

}  // namespace et::etrecord
