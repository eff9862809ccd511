#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// Small program, tensor data and bundled program files, written field by field, so that a test can break any
// field. The defaults are valid; nothing is checked here.
namespace et::test {

struct AllocationSpec {
    std::uint32_t arena = 1;
    std::uint64_t offset = 0;
};

struct ExtraSpec {
    std::uint64_t mutableSegment = 0;
    std::string name;
    std::int8_t location = 0;
    std::int8_t deviceType = 0;
    std::int8_t deviceIndex = 0;
};

struct TensorSpec {
    std::int8_t scalarType = 6;  // float32
    std::vector<std::int32_t> sizes{2, 3};
    std::vector<std::uint8_t> dimOrder{0, 1};
    std::uint32_t dataIndex = 0;
    std::optional<AllocationSpec> allocation{};
    std::optional<ExtraSpec> extra{};
    std::int32_t storageOffset = 0;
    std::int8_t dynamism = 0;
};

struct IntListSpec {
    std::vector<std::int64_t> items;
};
struct DoubleListSpec {
    std::vector<double> items;
};
struct BoolListSpec {
    std::vector<std::uint8_t> items;
};
struct TensorListSpec {
    std::vector<std::int32_t> items;
};
struct OptionalTensorListSpec {
    std::vector<std::int32_t> items;
};
/// A value of a kind that the format does not define.
struct UnknownSpec {
    std::uint8_t kind = 99;
};

/// In the order of the file's union; monostate is Null.
using ValueSpec =
    std::variant<std::monostate, std::int64_t, bool, double, TensorSpec, std::string, IntListSpec,
                 DoubleListSpec, BoolListSpec, TensorListSpec, OptionalTensorListSpec, UnknownSpec>;

struct KernelSpec {
    std::int32_t op = 0;
    std::vector<std::int32_t> args;
};
struct DelegateCallSpec {
    std::int32_t delegate = 0;
    std::vector<std::int32_t> args;
};
struct MoveSpec {
    std::int32_t from = 0;
    std::int32_t to = 0;
};
struct JumpSpec {
    std::int32_t condition = 0;
    std::int32_t destination = 0;
};
struct FreeSpec {
    std::int32_t value = 0;
};

/// In the order of the file's union.
using InstructionSpec = std::variant<KernelSpec, DelegateCallSpec, MoveSpec, JumpSpec, FreeSpec>;

struct DelegateSpec {
    std::string backend = "DemoBackend";
    std::int8_t location = 0;  // 0 inline, 1 segment
    std::uint32_t index = 0;
    std::vector<std::pair<std::string, std::string>> compileSpecs{};
};

struct DeviceSpec {
    std::int32_t arena = 1;
    std::int8_t type = 1;
    std::int8_t index = 0;
};

struct MethodSpec {
    std::string name = "forward";
    std::vector<ValueSpec> values{};
    std::size_t sharedValues = 0;  // more values that all share the table of the last one
    std::vector<std::int32_t> inputs{};
    std::vector<std::int32_t> outputs{};
    std::vector<InstructionSpec> instructions{};
    std::vector<std::pair<std::string, std::string>> operators{};
    std::vector<DelegateSpec> delegates{};
    std::vector<std::int64_t> arenas{0, 96};
    std::vector<DeviceSpec> devices{};
    /// One frame per instruction, by function name.
    std::vector<std::string> frames{};
};

struct SegmentSpec {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

struct OffsetsSpec {
    std::uint32_t segment = 0;
    std::vector<std::uint64_t> offsets{};
};

enum class HeaderKind : std::uint8_t { None, Short, Full };

struct HeaderSpec {
    HeaderKind kind = HeaderKind::Full;
    std::uint32_t length = 0;                        // 0: actual length
    std::optional<std::uint64_t> programSize{};      // nothing: actual size
    std::optional<std::uint64_t> segmentBase{};      // nothing: actual offset
    std::optional<std::uint64_t> segmentDataSize{};  // nothing: actual size
};

struct ProgramSpec {
    std::vector<MethodSpec> methods{};
    std::vector<SegmentSpec> segments{};
    std::vector<std::byte> segmentData{};  // bytes after the flatbuffer
    OffsetsSpec constants{};
    std::vector<OffsetsSpec> mutableState{};
    std::vector<std::string> inlineConstants{};
    std::vector<std::string> inlinePayloads{};
    std::vector<std::pair<std::string, std::uint32_t>> namedData{};
    HeaderSpec header{};
};

/// One method "forward" that adds two float32 tensors of 2x3 into a third, all in one arena of 96 bytes.
[[nodiscard]] MethodSpec addMethod();
[[nodiscard]] ProgramSpec addProgram();

[[nodiscard]] std::vector<std::byte> writeProgram(const ProgramSpec& spec);

struct TensorDataEntrySpec {
    std::string key;
    std::uint32_t segment = 0;
    std::optional<TensorSpec> layout{};  // only dtype, sizes and dim order are used
};

struct TensorDataSpec {
    std::vector<SegmentSpec> segments{};
    std::vector<std::byte> segmentData{};
    std::vector<TensorDataEntrySpec> entries{};
    std::string magic = "FH01";
    std::optional<std::uint64_t> segmentBase{};
};

[[nodiscard]] std::vector<std::byte> writeTensorData(const TensorDataSpec& spec);

struct BundledTensorSpec {
    std::int8_t scalarType = 6;
    std::vector<std::int32_t> sizes{2};
    std::vector<std::uint8_t> dimOrder{0};
    std::vector<std::byte> data = std::vector<std::byte>(8);
};

/// In the order of the file's union; monostate: no value.
using BundledValueSpec = std::variant<std::monostate, BundledTensorSpec, std::int64_t, bool, double>;

struct CaseSpec {
    std::vector<BundledValueSpec> inputs{};
    std::vector<BundledValueSpec> outputs{};
};

struct BundleSpec {
    std::vector<std::pair<std::string, std::vector<CaseSpec>>> suites{};
    std::vector<std::byte> program{};
};

[[nodiscard]] std::vector<std::byte> writeBundle(const BundleSpec& spec);

}  // namespace et::test
