#include "runtime/builder/program_writer.h"

#include "runtime/builder/detail/write_method.h"

#include <fmt/format.h>

#include <numeric>
#include <optional>

namespace et::builder {

namespace schema = program::schema;

using core::Bytes;
using core::ErrorCode;
using core::Result;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

namespace {

/// Limit on constants and payloads inside the flatbuffer, whose offsets have 31 bits.
constexpr std::uint64_t maxInlineBytes = std::uint64_t{1} << 30;
/// Sufficient for all element types and vector instructions.
constexpr std::size_t inlineAlignment = 16;

std::uint64_t totalBytes(const std::vector<Bytes>& blobs) {
    return std::accumulate(blobs.begin(), blobs.end(), std::uint64_t{0},
                           [](std::uint64_t sum, Bytes blob) { return sum + blob.size(); });
}

template <class Table>
using Tables = Offset<flatbuffers::Vector<Offset<Table>>>;

class Writer {
  public:
    explicit Writer(const ProgramContent& what) : content(what) {}

    Result<std::vector<std::byte>> write() {
        gatherTensorData();
        const std::vector<std::byte> constantBytes =
            inFlatbuffer() ? std::vector<std::byte>() : constants.joined();
        const std::vector<std::byte> stateBytes = states.joined();
        if (!inFlatbuffer()) {
            constantSegment = segments.add(constantBytes);
        }
        if (hasState()) {
            stateSegment = segments.add(stateBytes);
        }
        ET_ASSIGN(const auto plans, writePlans());
        const auto named = writeNamedData();
        ET_TRY(checkInlineBytes());
        finish(plans, named);
        return file();
    }

  private:
    [[nodiscard]] bool inFlatbuffer() const { return content.constants == ConstantStorage::Flatbuffer; }
    [[nodiscard]] bool hasState() const { return !states.blobs().empty(); }

    /// Tensor segments precede all others, so their data must be collected first.
    void gatherTensorData() {
        for (const program::Method& method : content.methods) {
            for (const program::Value& value : method.values) {
                const auto* tensor = value.as<program::TensorInfo>();
                if (tensor != nullptr && tensor->initialData == program::InitialData::Program) {
                    (tensor->allocation ? states : constants).add(tensor->data);
                }
            }
        }
    }

    Result<Tables<schema::ExecutionPlan>> writePlans() {
        detail::MethodTargets targets{.builder = builder,
                                      .constants = constants,
                                      .states = states,
                                      .segments = segments,
                                      .inlinePayloads = inlinePayloads};
        std::vector<Offset<schema::ExecutionPlan>> plans;
        for (const program::Method& method : content.methods) {
            ET_ASSIGN(const auto plan, detail::writeMethod(targets, method));
            plans.push_back(plan);
        }
        return builder.CreateVector(plans);
    }

    Tables<schema::NamedData> writeNamedData() {
        if (content.namedData.empty()) {
            return {};
        }
        return detail::createTables<schema::NamedData>(
            builder, content.namedData, [&](const program::NamedData& entry) {
                const auto key = builder.CreateString(entry.key);
                return schema::CreateNamedData(builder, key, segments.addShared(entry.data));
            });
    }

    [[nodiscard]] Result<> checkInlineBytes() const {
        const std::uint64_t bytes = totalBytes(inlinePayloads) + (inFlatbuffer() ? constants.bytes() : 0);
        if (bytes > maxInlineBytes) {
            return core::fail(ErrorCode::Limit,
                              fmt::format("expected at most {} bytes of data inside the flatbuffer, got {}",
                                          maxInlineBytes, bytes));
        }
        return {};
    }

    Tables<schema::Buffer> writeInlineConstants() {
        std::vector<Offset<schema::Buffer>> buffers;
        if (inFlatbuffer()) {
            buffers.push_back(schema::CreateBuffer(builder, detail::createBlob(builder, {})));
            for (const Bytes blob : constants.blobs()) {
                buffers.push_back(
                    schema::CreateBuffer(builder, detail::createBlob(builder, blob, inlineAlignment)));
            }
        }
        return builder.CreateVector(buffers);
    }

    Offset<schema::SubsegmentOffsets> writeOffsets(std::uint32_t segment, const detail::DataPool& pool) {
        return schema::CreateSubsegmentOffsets(builder, segment, builder.CreateVector(pool.offsets()));
    }

    void finish(Tables<schema::ExecutionPlan> plans, Tables<schema::NamedData> named) {
        const auto buffers = writeInlineConstants();
        const auto payloads = detail::createTables<schema::BackendDelegateInlineData>(
            builder, inlinePayloads, [&](Bytes payload) {
                return schema::CreateBackendDelegateInlineData(
                    builder, detail::createBlob(builder, payload, inlineAlignment));
            });
        const auto places = detail::createTables<schema::DataSegment>(
            builder, segments.places(), [&](const detail::SegmentList::Place& place) {
                return schema::CreateDataSegment(builder, place.offset, place.size);
            });
        Offset<schema::SubsegmentOffsets> constantOffsets;
        if (constantSegment) {
            constantOffsets = writeOffsets(*constantSegment, constants);
        }
        Tables<schema::SubsegmentOffsets> stateOffsets;
        if (stateSegment) {
            stateOffsets = builder.CreateVector(std::vector{writeOffsets(*stateSegment, states)});
        }
        builder.Finish(schema::CreateProgram(builder, content.version, plans, buffers, payloads, places,
                                             constantOffsets, stateOffsets, named),
                       schema::ProgramIdentifier());
    }

    /// Returns only the flatbuffer if there are no segment bytes, as exporters do.
    [[nodiscard]] std::vector<std::byte> file() const {
        const Bytes flatbuffer = detail::finished(builder);
        if (segments.bytes() == 0) {
            return {flatbuffer.begin(), flatbuffer.end()};
        }
        constexpr std::uint32_t headerBytes = 32;
        detail::Header header("eh00");
        header.add(headerBytes)
            .add(std::uint64_t{flatbuffer.size() + headerBytes})
            .add(detail::segmentBase(flatbuffer.size(), headerBytes))
            .add(segments.bytes());
        return detail::assemble(flatbuffer, header, segments);
    }

    const ProgramContent& content;
    FlatBufferBuilder builder;
    detail::DataPool constants;
    detail::DataPool states;
    detail::SegmentList segments;
    std::vector<Bytes> inlinePayloads;
    std::optional<std::uint32_t> constantSegment;
    std::optional<std::uint32_t> stateSegment;
};

}  // namespace

Result<std::vector<std::byte>> writeProgram(const ProgramContent& content) {
    return Writer(content).write();
}

}  // namespace et::builder
