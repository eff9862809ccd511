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

// Which sizes the inputs of a method may have.
namespace et::app {

/// Sizes of all inputs, in elements; none for what is no tensor.
using InputSizes = std::vector<std::vector<std::int64_t>>;

/// Who says where a size ends.
enum class BoundSource : std::uint8_t {
    Program,  ///< the file: the size that memory is planned for
    Record,   ///< the range that the program was exported with
    Probe,    ///< runs: beyond it the program gives an error
    None,     ///< nobody: any size may be right
};
/// "program", "record", "probe", "none".
[[nodiscard]] std::string_view boundSourceName(BoundSource source);

/// A size that may change from run to run.
struct ShapeSymbol {
    std::string name;          ///< "s27" of a record; "d0" where there is none
    std::int64_t minimum = 1;  ///< inclusive
    std::int64_t maximum = 1;  ///< inclusive
    std::int64_t typical = 1;  ///< that the program was exported with, or the maximum
    BoundSource minimumFrom = BoundSource::None;
    BoundSource maximumFrom = BoundSource::Program;
};

struct ShapeDimension {
    std::string size;        ///< over the symbols: "s27", "2*s27", "80"
    std::int64_t bound = 0;  ///< in the file
    [[nodiscard]] bool isFixed() const { return size == std::to_string(bound); }
};

struct ShapedInput {
    std::string name;  ///< in the record's graph; empty without one
    bool isTensor = false;
    std::int8_t scalarType = 0;
    program::ShapeDynamism dynamism = program::ShapeDynamism::Static;
    std::vector<ShapeDimension> dimensions{};
};

/// The sizes that are legal: those that the symbols give from their minimum to their maximum. Two dimensions
/// with one symbol are related.
struct ShapeSpace {
    std::string method;
    bool fromRecord = false;
    std::vector<ShapeSymbol> symbols{};
    std::vector<ShapedInput> inputs{};
    std::vector<std::string> outputs{};  ///< "float32 [s27, 4]"

    [[nodiscard]] const ShapeSymbol* find(std::string_view symbol) const;
    [[nodiscard]] etrecord::SymbolValues typical() const;
};

/// What program and record say; `record` may be null. Without one, every dimension above 1 of a tensor whose
/// sizes may change is a symbol, with the minimum 1, which probe() looks into. Errors: InvalidArgument (the
/// record is of another program), those of evaluateSize().
[[nodiscard]] core::Result<ShapeSpace> shapeSpace(const program::Method& method,
                                                  const etrecord::Record* record);

/// The sizes for these values, whether they are legal or not. Errors: those of evaluateSize().
[[nodiscard]] core::Result<InputSizes> sizesAt(const ShapeSpace& space, const etrecord::SymbolValues& values);

}  // namespace et::app
