// Fuzzes the expression language, whose texts come from users, scripts and clients of the debugger: each line
// is parsed and evaluated.
#include "app/expression/expression.h"
#include "tests/fuzz/support/byte_source.h"
#include "tests/fuzz/support/lines.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>

namespace {

namespace expression = et::expression;
using et::core::Result;
using et::fuzz::require;
using expression::Operand;

/// Values of every kind, by name.
class Values final : public expression::Scope {
  public:
    [[nodiscard]] Result<Operand> value(std::string_view name) const override {
        if (name == "out" || name == "in" || name == "x") {
            constexpr double nan = std::numeric_limits<double>::quiet_NaN();
            return std::make_shared<const expression::Array>(expression::Array{
                .dtype = et::core::ScalarType::Float,
                .sizes = {2, 3},
                .numbers = {0, -1.5, nan, 4, 1e-310, -std::numeric_limits<double>::infinity()}});
        }
        if (name == "empty") {
            return std::make_shared<const expression::Array>(
                expression::Array{.dtype = et::core::ScalarType::Int, .sizes = {0, 4}, .numbers = {}});
        }
        if (name == "op") {
            return std::string("aten.mul.out");
        }
        if (name == "n") {
            return 3.0;
        }
        return name == "flag" ? Result<Operand>(true)
                              : et::core::fail(et::core::ErrorCode::NotFound, std::string(name));
    }
    [[nodiscard]] Result<Operand> reference(std::string_view name) const override { return value(name); }
    [[nodiscard]] Result<Operand> previous(std::string_view name) const override { return value(name); }
};

void evaluate(std::string_view text) {
    const auto parsed = expression::Expression::parse(text);
    if (!parsed) {
        std::ignore = parsed.error().toString();
        return;
    }
    std::ignore = parsed->names();
    std::ignore = parsed->onlyName();
    // A text that was parsed is parsed again with the same names.
    const auto again = expression::Expression::parse(parsed->text());
    require(again && again->names() == parsed->names());
    if (const auto value = parsed->evaluate(Values()); !value) {
        std::ignore = value.error().toString();
    } else {
        std::ignore = expression::truthOf(*value);
    }
    std::ignore = parsed->holds(Values());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    for (const std::string_view line : et::fuzz::linesOf({reinterpret_cast<const char*>(data), size})) {
        evaluate(line);
        std::ignore = expression::parseSlice(line);
    }
    return 0;
}
