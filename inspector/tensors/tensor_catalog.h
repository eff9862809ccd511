#pragma once

#include "backends/stored_constants.h"
#include "inspector/session/session.h"
#include "inspector/tensor_files/tensor_view.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/core/strong_id.h"
#include "runtime/executor/backend.h"
#include "runtime/native/graph.h"
#include "runtime/program/tensor_data.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
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

/// Dense elements in a file.
struct DenseLocation {
    core::Bytes data;
    std::int8_t scalarType = 0;
    std::vector<std::int64_t> sizes;
    std::vector<std::uint8_t> dimOrder{};  ///< none: row-major
};

/// Archive name in the record, and index of the tensor.
struct ArchiveLocation {
    std::string archive;
    std::size_t tensor = 0;
};

/// A quantized constant of a package, or state that is zero at load; borrowed.
struct PackageLocation {
    const native::TensorMeta* meta = nullptr;
    core::Bytes data{};  ///< none: zeros
};

/// Nowhere: why.
struct MissingLocation {
    std::string problem;
};

/// Location of a listed tensor's elements; borrowed from the files.
using TensorLocation =
    std::variant<MissingLocation, DenseLocation, backends::StoredConstant, ArchiveLocation, PackageLocation>;

/// Files to list.
struct CatalogSources {
    std::shared_ptr<const Session> session;  ///< not null
    std::vector<std::shared_ptr<const program::TensorData>> tensorData{};
    std::span<const executor::Backend* const> backends{};  ///< backends that can describe the content of
                                                           ///< delegates
    std::vector<std::string> problems{};  ///< from opening these files, for TensorCatalog::problems()
};

/// Form of a quantized weight's elements.
enum class TensorForm : std::uint8_t {
    Stored,  ///< its integers
    Real     ///< dequantized to float32; other tensors unchanged
};

/// All tensors of the open files in one list: constants, weights in delegates, data files and records, test
/// cases, and values logged by the runtime. Listing reads no elements. Immutable and thread-safe; keeps the
/// files alive.
class TensorCatalog {
  public:
    /// Maximum bytes of one tensor to read.
    static constexpr std::uint64_t maxBytes = std::uint64_t{1} << 30;

    [[nodiscard]] static std::shared_ptr<const TensorCatalog> build(CatalogSources sources);

    ~TensorCatalog();
    TensorCatalog(const TensorCatalog&) = delete;
    TensorCatalog& operator=(const TensorCatalog&) = delete;

    /// Ordered by TensorOrigin, then by file order.
    [[nodiscard]] const std::vector<CatalogTensor>& tensors() const;
    /// Problems while listing, one line each.
    [[nodiscard]] const std::vector<std::string>& problems() const;

    /// The elements of one of tensors(). Errors: Unsupported (unsupported storage format), Format (data that
    /// do not fill it, or are outside the file), Limit (more than maxBytes), and those of the readers.
    [[nodiscard]] core::Result<HostTensor> read(std::size_t tensor, TensorForm form) const;

    /// Tensors of an operator: those with one of its debug handles, or else those of its instruction. Weights
    /// come before samples and logged values. `method` may be empty if there is only one.
    [[nodiscard]] std::vector<std::size_t> tensorsOf(std::string_view method, core::InstructionId instruction,
                                                     std::span<const core::DebugHandle> handles) const;

  private:
    struct Impl;
    explicit TensorCatalog(std::unique_ptr<Impl> data);
    std::unique_ptr<Impl> impl;
};

}  // namespace et::inspector
