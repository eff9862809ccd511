#pragma once

#include "etrecord/record.h"
#include "etrecord/size_expression.h"
#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Legal sizes of the inputs of a method.
namespace et::tasks {

/// Sizes of all inputs in elements; empty for values that are not tensors.
using InputSizes = std::vector<std::vector<std::int64_t>>;

/// Origin of a size's bound.
enum class BoundSource : std::uint8_t {
    Program,  ///< the file: the size used for memory planning
    Record,   ///< the range used in the export
    Probe,    ///< runs: beyond it the program returns an error
    None,     ///< no bound is known; any size may be legal
};
/// "program", "record", "probe", "none".
[[nodiscard]] std::string_view boundSourceName(BoundSource source);

/// A size that may change between runs.
struct ShapeSymbol {
    std::string name;          ///< "s27" from a record; "d0" without one
    std::int64_t minimum = 1;  ///< inclusive
    std::int64_t maximum = 1;  ///< inclusive
    std::int64_t typical = 1;  ///< size of the export, or the maximum
    BoundSource minimumFrom = BoundSource::None;
    BoundSource maximumFrom = BoundSource::Program;
};

struct ShapeDimension {
    std::string size;        ///< expression of symbols: "s27", "2*s27", "80"
    std::int64_t bound = 0;  ///< in the file
    [[nodiscard]] bool isFixed() const { return size == std::to_string(bound); }
};

struct ShapedInput {
    std::string name;  ///< name in the record's graph; empty without a record
    bool isTensor = false;
    std::int8_t scalarType = 0;
    program::ShapeDynamism dynamism = program::ShapeDynamism::Static;
    std::vector<ShapeDimension> dimensions{};
};

/// The legal sizes: those given by the symbols from their minimum to their maximum. Two dimensions that share
/// a symbol are related.
struct ShapeSpace {
    std::string method;
    bool fromRecord = false;
    std::vector<ShapeSymbol> symbols{};
    std::vector<ShapedInput> inputs{};
    std::vector<std::string> outputs{};  ///< "float32 [s27, 4]"

    [[nodiscard]] const ShapeSymbol* find(std::string_view symbol) const;
    [[nodiscard]] etrecord::SymbolValues typical() const;
};

/// Builds the space from the program and record; `record` may be null. Without one, every dimension above 1
/// of a tensor with dynamic sizes becomes a symbol with minimum 1, which probe() refines. Errors:
/// InvalidArgument (the record is of another program), those of evaluateSize().
[[nodiscard]] core::Result<ShapeSpace> shapeSpace(const program::Method& method,
                                                  const etrecord::Record* record);

/// Sizes for these values, legal or not. Errors: those of evaluateSize().
[[nodiscard]] core::Result<InputSizes> sizesAt(const ShapeSpace& space, const etrecord::SymbolValues& values);

}  // namespace et::tasks
