#pragma once

#include "etrecord/record.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"
#include "runtime/native/package.h"
#include "runtime/program/program.h"

#include <cstdint>
#include <memory>

// Graphs of the ExecuTorch Native format as records, which the interpreter runs and which can be lowered.
// State without data starts at zero.
namespace et::backends::native {

/// How quantized constants appear in a record, which has no quantized tensors.
enum class QuantizedConstants : std::uint8_t {
    Floats,
    Kept,  ///< weights of linear layers keep their bytes (see KeptQuantization); floats otherwise
    /// Weights of linear layers that are 4-bit integers in groups of 32, 64, … or in rows, without zero
    /// points, stay integers, and operands of these layers are quantized to 8 bits in each run, with a scale
    /// for each row: XNNPACK computes such products. Floats otherwise.
    DynamicProducts,
};

/// The methods of a package. The record keeps the package and borrows its constants. Errors: Unsupported (a
/// constant with an unknown codec), those of et::native::dequantize() and etrecord::makeRecord().
[[nodiscard]] core::Result<std::shared_ptr<const etrecord::Record>> recordOf(
    std::shared_ptr<const et::native::Package> package,
    QuantizedConstants quantized = QuantizedConstants::Floats);

/// The graph of a NativeBackend delegate, with constants from the named data, which must outlive the record.
/// Errors: those of et::native::parseProgram() and checkConstants(), and as above.
[[nodiscard]] core::Result<std::shared_ptr<const etrecord::Record>> recordOf(
    const program::Delegate& delegate, const executor::NamedDataSource& namedData);

}  // namespace et::backends::native
