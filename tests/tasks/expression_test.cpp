#include "app/expression/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <string>

namespace et::expression {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Operand arrayWith(std::vector<double> numbers, std::vector<std::int64_t> sizes,
                  core::ScalarType dtype = core::ScalarType::Float) {
    return std::make_shared<const Array>(
        Array{.dtype = dtype, .sizes = std::move(sizes), .numbers = std::move(numbers)});
}

class Names final : public Scope {
  public:
    [[nodiscard]] core::Result<Operand> value(std::string_view name) const override {
        static const std::map<std::string, Operand, std::less<>> values{
            {"out", arrayWith({1, -5, 3, nan}, {2, 2})},
            {"x", arrayWith({1, 2, 3, 4, 5, 6}, {2, 3})},
            {"q", arrayWith({-128, 127, 0, 1}, {4}, core::ScalarType::Char)},
            {"tiny", arrayWith({1e-40, 1}, {2})},
            {"op", std::string("aten.mul.out")},
            {"time", 0.03},
            {"%12", 12.0},
            {"layers.0.weight", arrayWith({0, 0}, {2})},
        };
        const auto found = values.find(name);
        return found != values.end() ? core::Result<Operand>(found->second)
                                     : core::fail(core::ErrorCode::NotFound, "no value");
    }
    [[nodiscard]] core::Result<Operand> reference(std::string_view) const override {
        return arrayWith({1, 2, 3, 4, 5, 5}, {2, 3});
    }
    [[nodiscard]] core::Result<Operand> previous(std::string_view) const override {
        return arrayWith({1, 2, 3, 4, 0, 0}, {2, 3});
    }
};

Operand valueOf(std::string_view text) {
    const auto parsed = Expression::parse(text);
    if (!parsed) {
        ADD_FAILURE() << text << ": " << parsed.error().message;
        return nan;
    }
    const auto value = parsed->evaluate(Names());
    if (!value) {
        ADD_FAILURE() << text << ": " << value.error().message;
        return nan;
    }
    return *value;
}

double numberOf(std::string_view text) {
    const Operand value = valueOf(text);
    const auto* const number = std::get_if<double>(&value);
    EXPECT_NE(number, nullptr) << text;
    return number != nullptr ? *number : nan;
}

bool holds(std::string_view text) {
    const auto truth = Expression::parse(text).and_then([](const Expression& e) { return e.holds(Names()); });
    EXPECT_TRUE(truth) << text << ": " << truth.error().message;
    return truth.value_or(false);
}

std::string errorOf(std::string_view text) {
    const auto value = Expression::parse(text).and_then([](const Expression& e) { return e.holds(Names()); });
    EXPECT_FALSE(value) << text;
    return value ? std::string() : value.error().message;
}

TEST(Expression, ComputesWithPrecedence) {
    EXPECT_EQ(numberOf("1 + 2 * 3 - 4 / 2"), 5);
    EXPECT_EQ(numberOf("-(1 - 3) * --2"), 4);
    EXPECT_EQ(numberOf("%12 + .5e1"), 17);
    EXPECT_DOUBLE_EQ(numberOf("20ms + 5us"), 0.020005);
    EXPECT_EQ(numberOf("4KiB"), 4096);
}

TEST(Expression, CombinesConditions) {
    EXPECT_TRUE(holds("time > 20ms and op == 'aten.mul.out'"));
    EXPECT_TRUE(holds("time>20ms && op == \"aten.*\""));
    EXPECT_FALSE(holds("op != 'aten.m?l.out'"));
    EXPECT_TRUE(holds("not op == 'aten.add.*' and (false or true)"));
    EXPECT_TRUE(holds("!(1 > 2) || unknown > 3")) << "the right side is not evaluated";
    EXPECT_FALSE(holds("nan(x)"));
}

TEST(Expression, ComputesFunctionsOfTensors) {
    EXPECT_EQ(numberOf("max(abs(out))"), 5);
    EXPECT_EQ(numberOf("min(out)"), -5);
    EXPECT_EQ(numberOf("max(mean(x), 3)"), 3.5);
    EXPECT_EQ(numberOf("sum(x)"), 21);
    EXPECT_DOUBLE_EQ(numberOf("std(x)"), std::sqrt(35.0 / 12));
    EXPECT_EQ(numberOf("count(x > 2)"), 4);
    EXPECT_TRUE(holds("any(x == 6) and not all(x == 6)"));
    EXPECT_EQ(numberOf("nan"), 1) << "without arguments: of out";
    EXPECT_EQ(numberOf("inf(x)"), 0);
    EXPECT_EQ(numberOf("denormal(tiny)"), 1);
    EXPECT_TRUE(holds("zero(layers.0.weight)"));
    EXPECT_EQ(numberOf("saturated(q)"), 0.5);
    EXPECT_EQ(numberOf("size(x) + size(x, 1)"), 9);
    EXPECT_TRUE(holds("dtype(q) == 'int8' and shape(x) == '[2, 3]'"));
}

TEST(Expression, ReadsOtherVersionsOfAValue) {
    EXPECT_EQ(numberOf("error(x)"), 1);
    EXPECT_DOUBLE_EQ(numberOf("snr(x)"), 10 * std::log10(80));
    EXPECT_EQ(numberOf("changed(x)"), 2);
    EXPECT_EQ(numberOf("max(abs(x - reference(x)))"), 1);
    EXPECT_EQ(numberOf("sum(previous(x))"), 10);
    EXPECT_TRUE(Expression::parse("snr < 30")->reads(ValueVersion::Reference));
    EXPECT_FALSE(Expression::parse("snr < 30")->reads(ValueVersion::Previous));
    EXPECT_TRUE(Expression::parse("changed > 3")->reads(ValueVersion::Previous));
    EXPECT_FALSE(Expression::parse("nan < 30")->reads(ValueVersion::Reference));
}

TEST(Expression, SlicesTensors) {
    EXPECT_EQ(numberOf("x[1, 2]"), 6);
    EXPECT_EQ(numberOf("x[-1][0]"), 4);
    EXPECT_EQ(numberOf("sum(x[:, 1:])"), 16);
    EXPECT_EQ(numberOf("size(x[0:9, 1:0])"), 0) << "ranges are clamped, as in Python";
    EXPECT_EQ(errorOf("x[2]"), "index 2 is outside of a dimension of size 2");
    EXPECT_EQ(errorOf("x[0, 0, 0]"), "a slice of 3 dimensions does not fit a tensor of [2, 3]");
    EXPECT_EQ(errorOf("x[a]"), "expected an index in a slice, got 'a'");
}

TEST(Expression, DescribesErrors) {
    EXPECT_EQ(errorOf("1 +"), "expression, column 4: expected a value, got the end");
    EXPECT_EQ(errorOf("max(x"), "expression, column 6: expected ',' or ')', got the end");
    EXPECT_EQ(errorOf("1 2"), "expression, column 3: expected an operator or the end, got '2'");
    EXPECT_EQ(errorOf("2 weeks"), "expression, column 3: expected an operator or the end, got 'weeks'");
    EXPECT_EQ(
        errorOf("2weeks"),
        "expression, column 2: expected an operator or a unit (ns, us, ms, s, KiB, MiB, GiB), got 'weeks'");
    EXPECT_EQ(errorOf("1 < 2 < 3"), "comparisons cannot be chained: write a < b and b < c");
    EXPECT_EQ(errorOf("x > 1"), "a condition needs one value, got sizes [2, 3]: use any() or all()");
    EXPECT_EQ(errorOf("x + out"), "sizes [2, 3] and [2, 2] differ");
    EXPECT_EQ(errorOf("op > 1"), "a text can be compared only with a text");
    EXPECT_EQ(errorOf("op < 'a'"), "texts can be compared only with == and !=");
    EXPECT_EQ(errorOf("sum(op)"), "expected numbers, got the text 'aten.mul.out'");
    EXPECT_EQ(errorOf("sum()"), "sum() takes 1 argument, got 0");
    EXPECT_EQ(errorOf("snr(x + 1)"), "snr() takes the name of a value, not an expression");
    EXPECT_EQ(errorOf("'a"),
              "expression, column 1: expected a text that ends with its quotation mark, got ''a'");
    EXPECT_EQ(errorOf("f(1)"),
              "expression, column 1: expected a function (et-inspect debug: 'help expressions'), got 'f(1)'");
}

TEST(Expression, LimitsSizeAndDepth) {
    std::string sum = "1";
    for (int i = 0; i < 300; ++i) {
        sum += "+1";
    }
    EXPECT_EQ(errorOf(sum), "an expression has at most 512 operations");
    EXPECT_EQ(errorOf(std::string(70, '(')), "an expression is nested at most 64 times");
    EXPECT_EQ(errorOf(std::string(70, '-') + "1"), "an expression is nested at most 64 times");
    EXPECT_EQ(errorOf(std::string(5000, ' ')), "an expression has at most 4096 characters");
}

TEST(Expression, ListsItsNames) {
    const auto parsed = Expression::parse("max(out) > 1 and op == 'a' and nan and input:0 > out");
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->names(), (std::vector<std::string>{"out", "op", "input:0"}));
    EXPECT_EQ(Expression::parse("aten_mul")->onlyName(), "aten_mul");
    EXPECT_EQ(Expression::parse("aten_mul + 1")->onlyName(), "");
}

TEST(Expression, MatchesWildcards) {
    EXPECT_TRUE(matchesWildcards("aten.softmax.out", "*softmax*"));
    EXPECT_TRUE(matchesWildcards("", "*"));
    EXPECT_TRUE(matchesWildcards("aXbXc", "a*b?c"));
    EXPECT_FALSE(matchesWildcards("aten.mul.out", "aten.mul"));
    EXPECT_FALSE(matchesWildcards(std::string(1000, 'a'), "*a*a*a*a*a*a*a*a*b"));
}

}  // namespace
}  // namespace et::expression
