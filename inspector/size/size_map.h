#pragma once

#include "bundled_program/bundle.h"
#include "etrecord/record.h"
#include "inspector/format/palette.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/core/strong_id.h"
#include "runtime/executor/backend.h"
#include "runtime/native/package.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Size attribution of files: every byte has one owner.
namespace et::inspector {

/// Purpose of bytes.
enum class SizeKind : std::uint8_t {
    Tables,  ///< the program's flatbuffer without embedded data
    Constant,
    State,            ///< initial contents of a mutable tensor
    NamedData,        ///< named data not known to be used by a delegate
    DelegateTables,   ///< payload bytes other than constants described by the backend
    DelegateWeights,  ///< a constant inside a delegate, in its payload or in named data
    TestTables,       ///< a bundled program's flatbuffer without program and tensors
    TestTensor,       ///< an input or an expected output
    DataTables,       ///< of a tensor data file
    TensorData,       ///< an entry of a tensor data file
    Padding,          ///< alignment between segments
    Unreferenced,     ///< segment bytes that the program does not refer to (alignment of tensors, or unused
                      ///< data)
};
struct SizeKindInfo {
    SizeKind kind;
    std::string_view name;  ///< stable: used in JSON
    format::Rgb colour;     ///< in maps; from the Okabe-Ito palette
};
inline constexpr SizeKindInfo sizeKinds[] = {
    {SizeKind::Tables, "program tables", 0x999999},
    {SizeKind::Constant, "constants", 0x56b4e9},
    {SizeKind::State, "initial state", 0xcc79a7},
    {SizeKind::NamedData, "named data", 0xf0e442},
    {SizeKind::DelegateTables, "delegate tables", 0xbbbbbb},
    {SizeKind::DelegateWeights, "delegate weights", 0x009e73},
    {SizeKind::TestTables, "test tables", 0xdddddd},
    {SizeKind::TestTensor, "test tensors", 0xe69f00},
    {SizeKind::DataTables, "tensor data tables", 0x999999},
    {SizeKind::TensorData, "tensor data", 0x0072b2},
    {SizeKind::Padding, "padding", 0xeeeeee},
    {SizeKind::Unreferenced, "unreferenced", 0xd55e00},
};
[[nodiscard]] std::string_view name(SizeKind kind);

/// An owner of bytes. Unknown texts are empty.
struct SizePiece {
    SizeKind kind = SizeKind::Tables;
    std::size_t file = 0;     ///< index into SizeMap::files
    std::uint64_t bytes = 0;  ///< excluding nested bytes with another owner
    std::string method{};
    std::string backend{};
    std::string tensor{};    ///< "features.0.weight", "forward: value 12", "forward: delegate 0, w_3"
    std::string type{};      ///< "float32 [32, 3, 3, 3]"
    std::string module{};    ///< module of the first operator that reads it
    std::string scheme{};    ///< quantization described by its backend: "per channel of dimension 0"
    core::Bytes data{};      ///< raw bytes of a tensor or blob in the file; otherwise empty
    std::uint32_t uses = 1;  ///< number of values that share these bytes
    core::InstructionId instruction{-1};       ///< first instruction of `method` that reads it; -1: unknown
    std::vector<core::DebugHandle> handles{};  ///< debug handles of the delegated operator that reads it

    /// "float32", from its type.
    [[nodiscard]] std::string_view dtype() const { return std::string_view(type).substr(0, type.find(' ')); }
};

struct SizedFile {
    std::string name;
    std::uint64_t bytes = 0;
    const core::MappedFile* mapped = nullptr;  ///< borrowed
};

/// The files' bytes by owner. Borrows from its sources.
struct SizeMap {
    std::vector<SizedFile> files;
    std::vector<SizePiece> pieces;  ///< their bytes add up to total()
    /// Names of data that the program refers to and none of the files contains: they are in a tensor data
    /// file that was not given, whose bytes are not counted.
    std::vector<std::string> missing{};

    [[nodiscard]] std::uint64_t total() const;
};

/// Display text for missing data, "3 tensors that no open file has: fc.weight, fc.bias, …"; empty if none is
/// missing.
[[nodiscard]] std::string missingText(const SizeMap& map);

/// Inputs of the size map; borrowed.
struct SizeSources {
    std::shared_ptr<const program::Program> program{};        ///< null: tensor data only
    std::shared_ptr<const bundled_program::Bundle> bundle{};  ///< bundle that may contain the program; null:
                                                              ///< none
    std::span<const std::shared_ptr<const program::TensorData>> tensorData{};
    const etrecord::Record* record = nullptr;  ///< record of the program; null: modules stay empty
    const native::Package* package = nullptr;  ///< null: none
    std::span<const executor::Backend* const> backends{};  ///< backends that can describe delegates
};

/// Errors: as delegatesOf(). A payload that cannot be described is DelegateTables as a whole.
[[nodiscard]] core::Result<SizeMap> makeSizeMap(const SizeSources& sources);

}  // namespace et::inspector
