#pragma once

#include "bundled_program/bundle.h"
#include "etrecord/record.h"
#include "inspector/format/palette.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/core/strong_id.h"
#include "runtime/executor/backend.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Why a file is as big as it is: every byte has one owner.
namespace et::inspector {

/// What bytes are there for.
enum class SizeKind : std::uint8_t {
    Tables,           ///< of the program: its flatbuffer without the data in it
    Constant,         ///< a constant tensor
    State,            ///< what a mutable tensor holds at first
    NamedData,        ///< data by name that no delegate was seen to use
    DelegateTables,   ///< of a payload: what is no constant that its backend describes
    DelegateWeights,  ///< a constant inside of a delegate, in its payload or by name
    TestTables,       ///< of a bundled program: its flatbuffer without program and tensors
    TestTensor,       ///< an input or an expected output
    DataTables,       ///< of a tensor data file
    TensorData,       ///< an entry of a tensor data file
    Padding,          ///< between segments, so that they start at round addresses
    Unreferenced,     ///< of a segment: nothing that the program names (alignment of tensors, or left-overs)
};
struct SizeKindTraits {
    SizeKind kind;
    std::string_view name;  ///< stable: in JSON
    report::Rgb colour;     ///< in maps, after Okabe and Ito
};
inline constexpr SizeKindTraits sizeKinds[] = {
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

/// An owner of bytes. Texts are empty where nothing is known.
struct SizePiece {
    SizeKind kind = SizeKind::Tables;
    std::size_t file = 0;     ///< index into SizeMap::files
    std::uint64_t bytes = 0;  ///< that it owns: without what lies in it and has an owner of its own
    std::string method{};
    std::string backend{};
    std::string tensor{};    ///< "features.0.weight", "forward: value 12", "forward: delegate 0, w_3"
    std::string type{};      ///< "float32 [32, 3, 3, 3]"
    std::string module{};    ///< that the first operator that reads it is in
    std::string scheme{};    ///< how it is quantized, as its backend says: "per channel of dimension 0"
    core::Bytes data{};      ///< of a tensor or a blob, as it lies in the file; else empty
    std::uint32_t uses = 1;  ///< values that are these same bytes
    core::InstructionId instruction{-1};       ///< of `method`, the first that reads it; -1: none is known
    std::vector<core::DebugHandle> handles{};  ///< of the operator inside of a delegate that reads it

    /// "float32" of its type.
    [[nodiscard]] std::string_view dtype() const { return std::string_view(type).substr(0, type.find(' ')); }
};

struct SizedFile {
    std::string name;
    std::uint64_t bytes = 0;
    const core::MappedFile* mapped = nullptr;  ///< borrowed
};

/// The files' bytes by owner. Borrows from what it was made of.
struct SizeMap {
    std::vector<SizedFile> files;
    std::vector<SizePiece> pieces;  ///< their bytes add up to total()
    /// Data that the program names and none of the files has, by name: they are in a tensor data file that
    /// is not among them, whose bytes are not counted.
    std::vector<std::string> missing{};

    [[nodiscard]] std::uint64_t total() const;
};

/// For people: what is missing, "3 tensors that no open file has: fc.weight, fc.bias, …"; empty: nothing is.
[[nodiscard]] std::string missingText(const SizeMap& map);

/// What to look at; borrowed.
struct SizeSources {
    std::shared_ptr<const program::Program> program{};        ///< null: tensor data alone
    std::shared_ptr<const bundled_program::Bundle> bundle{};  ///< that the program may be in; null: in none
    std::span<const std::shared_ptr<const program::TensorData>> tensorData{};
    const etrecord::Record* record = nullptr;              ///< of the program; null: modules stay empty
    std::span<const executor::Backend* const> backends{};  ///< who may tell what is inside of a delegate
};

/// Errors: as delegatesOf(). A payload that cannot be described is DelegateTables as a whole.
[[nodiscard]] core::Result<SizeMap> sizeMapOf(const SizeSources& sources);

}  // namespace et::inspector
