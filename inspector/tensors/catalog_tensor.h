#pragma once

#include "runtime/core/strong_id.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Source of a tensor.
enum class TensorOrigin : std::uint8_t {
    Constant,        ///< of a program
    State,           ///< initial value of a program's mutable tensor
    DataFile,        ///< of a tensor data file
    DelegateWeight,  ///< in a delegate's payload, or referenced by name
    RecordWeight,    ///< a parameter, buffer or constant in an ETRecord
    RecordSample,    ///< an input or output in an ETRecord
    TestInput,       ///< input of a case of a bundled program
    TestOutput,      ///< expected output of a case
    Logged           ///< logged by the runtime during a trace
};

struct TensorOriginInfo {
    TensorOrigin origin;
    std::string_view name;  ///< stable: used on the command line and in JSON
    bool isWeight;          ///< part of the model, not of a run
};
inline constexpr std::array tensorOrigins{
    TensorOriginInfo{TensorOrigin::Constant, "constant", true},
    TensorOriginInfo{TensorOrigin::State, "state", true},
    TensorOriginInfo{TensorOrigin::DataFile, "data", true},
    TensorOriginInfo{TensorOrigin::DelegateWeight, "delegate", true},
    TensorOriginInfo{TensorOrigin::RecordWeight, "record", true},
    TensorOriginInfo{TensorOrigin::RecordSample, "sample", false},
    TensorOriginInfo{TensorOrigin::TestInput, "input", false},
    TensorOriginInfo{TensorOrigin::TestOutput, "expected", false},
    TensorOriginInfo{TensorOrigin::Logged, "logged", false},
};
static_assert(tensorOrigins.back().origin == TensorOrigin::Logged);

[[nodiscard]] constexpr const TensorOriginInfo& traits(TensorOrigin origin) {
    return tensorOrigins[static_cast<std::size_t>(origin)];
}

/// One tensor of the open files. Unknown texts are empty.
struct CatalogTensor {
    TensorOrigin origin = TensorOrigin::Constant;
    /// Display name: "features.0.weight", "case 0, input 1". A weight without a name gets that of the
    /// record's only weight of its type read by the same operators, or else the module of its first reader
    /// and the name of its argument: "features.0: weight".
    std::string name;
    std::string place;        ///< location: "forward: value 12", "forward: delegate 0, v3"
    std::string type;         ///< "float32 [32, 3, 3, 3]", "qcint8 [32, 3, 3, 3]"
    std::uint64_t bytes = 0;  ///< stored size
    std::string method{};     ///< owning method; empty: all methods
    std::string module{};     ///< of its first reader or producer
    std::vector<core::InstructionId> instructions{};  ///< readers (or producers) in their first chain
    std::vector<core::DebugHandle> handles{};         ///< of its readers (or producers)
};

}  // namespace et::inspector
