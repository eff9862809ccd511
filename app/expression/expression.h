#pragma once

#include "app/expression/array.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::expression {

/// Values of the names in an expression.
class Scope {
  public:
    Scope() = default;
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    virtual ~Scope() = default;

    /// Errors: NotFound, Unsupported (a value without numbers).
    [[nodiscard]] virtual core::Result<Operand> value(std::string_view name) const = 0;
    /// The reference's version of a value. Errors: likewise; Unsupported (no reference).
    [[nodiscard]] virtual core::Result<Operand> reference(std::string_view name) const;
    /// The value before the last instruction. Errors: likewise.
    [[nodiscard]] virtual core::Result<Operand> previous(std::string_view name) const;
};

/// Functions of the language, see functions().
enum class Function : std::uint8_t {
    Max,
    Min,
    Sum,
    Mean,
    Std,
    Abs,
    Sqrt,
    Any,
    All,
    Count,
    Argmax,
    Mod,
    Nan,
    Inf,
    Denormal,
    Zero,
    Saturated,
    Size,
    Dtype,
    Shape,
    Reference,
    Previous,
    Error,
    Snr,
    Changed,
};

/// The version of a value that a function reads.
enum class ValueVersion : std::uint8_t { Own, Reference, Previous };

struct FunctionInfo {
    Function function;
    std::string_view name;
    std::size_t least;  ///< number of arguments; 0: without any, it applies to `out`
    std::size_t most;
    /// Other than Own: the argument must be the name of a value.
    ValueVersion version;
    std::string_view meaning;
};
/// In the order of Function.
[[nodiscard]] std::span<const FunctionInfo> functions();

/// A parsed expression: numbers with units, texts, names, slices, arithmetic, comparisons, `and`, `or`, `not`
/// and functions. Comparing texts with == accepts the wildcards * and ? on the right.
class Expression {
  public:
    /// An empty expression, which is not evaluated.
    Expression() = default;
    /// Errors: InvalidArgument (names the column and the expected token), Limit (too long or too deeply
    /// nested).
    [[nodiscard]] static core::Result<Expression> parse(std::string_view text);

    /// Errors: those of `scope`; InvalidArgument (unsuitable operands), Limit.
    [[nodiscard]] core::Result<Operand> evaluate(const Scope& scope) const;
    /// Whether the value is true: a number that is neither 0 nor NaN. Errors: those of evaluate();
    /// InvalidArgument (the value has several elements).
    [[nodiscard]] core::Result<bool> holds(const Scope& scope) const;

    [[nodiscard]] bool isEmpty() const { return nodes.empty(); }
    [[nodiscard]] const std::string& text() const { return source; }
    /// The names that it reads, each once.
    [[nodiscard]] std::vector<std::string> names() const;
    /// Whether it uses previous() or reference() of the scope.
    [[nodiscard]] bool reads(ValueVersion version) const;
    /// The name that is the whole expression; empty for any other expression.
    [[nodiscard]] std::string_view onlyName() const;

  private:
    friend class Parser;
    friend class Evaluation;

    enum class Kind : std::uint8_t {
        Number,
        Text,
        Name,
        Call,
        Slice,
        Negate,
        Not,
        And,
        Or,
        Add,
        Subtract,
        Multiply,
        Divide,
        Less,
        LessOrEqual,
        Greater,
        GreaterOrEqual,
        Equal,
        Unequal,
    };
    struct Node {
        Kind kind = Kind::Number;
        double number = 0;
        std::string text{};                     ///< of a text or a name
        Function function = Function::Max;      ///< of a call
        std::vector<std::uint32_t> operands{};  ///< indices of earlier nodes
        std::vector<Range> ranges{};            ///< of a slice
    };

    std::string source;
    std::vector<Node> nodes;  ///< the last one is the whole expression
};

/// The truth of a value: see Expression::holds().
[[nodiscard]] core::Result<bool> truthOf(const Operand& value);

/// Whether `text` matches `pattern`, in which * stands for any characters and ? for one. Unlike in
/// fnmatch(3), brackets are ordinary characters.
[[nodiscard]] bool matchesWildcards(std::string_view text, std::string_view pattern);

}  // namespace et::expression
