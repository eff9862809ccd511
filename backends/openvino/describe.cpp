#include "backends/openvino/describe.h"

#include "backends/opaque_code.h"
#include "backends/openvino/layers.h"
#include "backends/payload_data.h"
#include "runtime/core/byte_reader.h"

#include <cstdint>
#include <optional>

namespace et::backends::openvino {
namespace {

using core::Bytes;
using core::ModelGraph;
using core::Result;

/// Three pairs of offset and size: data of the device, constants, XML.
constexpr std::size_t headerBytes = 6 * sizeof(std::uint64_t);

struct ExportedModel {
    Bytes deviceData;
    Bytes constants;
    Bytes xml;
};

Result<Bytes> takePart(core::ByteReader& header, Bytes payload, std::string_view field) {
    ET_ASSIGN(const auto offset, header.read<std::uint64_t>(field));
    ET_ASSIGN(const auto size, header.read<std::uint64_t>(field));
    return payloadPart(payload, offset, size, field);
}

/// The exported model of a CPU; nothing if the payload is of another device. Its first part always follows
/// the header.
Result<std::optional<ExportedModel>> readModel(Bytes payload) {
    core::ByteReader first(payload);
    const auto start = first.read<std::uint64_t>("header");
    if (!start || *start != headerBytes) {
        return std::nullopt;
    }
    core::ByteReader header(payload);
    ExportedModel model;
    ET_ASSIGN(model.deviceData, takePart(header, payload, "device data"));
    ET_ASSIGN(model.constants, takePart(header, payload, "constants"));
    ET_ASSIGN(model.xml, takePart(header, payload, "model XML"));
    return model;
}

}  // namespace

Result<ModelGraph> describe(Bytes payload, const executor::NamedDataSource& /*namedData*/) {
    ET_ASSIGN(const auto model, readModel(payload));
    if (model) {
        return graphOf(core::textOf(model->xml), model->constants);
    }
    return describeOpaque(payload, {.kind = "OpenVINO model", .codeName = "compiled model", .code = payload});
}

Result<> listContents(const program::Delegate& delegate, const executor::NamedDataSource& namedData,
                      PayloadContents& contents) {
    ET_ASSIGN(const auto model, readModel(delegate.payload));
    if (!model) {
        contents.described.addOpaque(delegate.payload);
        contents.parts = {{.name = "model.blob", .data = delegate.payload}};
        return {};
    }
    ET_ASSIGN(const ModelGraph graph, describe(delegate.payload, namedData));
    contents.described.add(delegate.payload.data(), headerBytes);
    contents.described.addOpaque(model->deviceData);
    contents.described.add(model->xml.data(), model->xml.size());
    contents.addConstants(graph);
    contents.parts = {{.name = "model.xml", .data = model->xml},
                      {.name = "model.bin", .data = model->constants}};
    if (!model->deviceData.empty()) {
        contents.parts.push_back({.name = "device_data", .data = model->deviceData});
    }
    return {};
}

}  // namespace et::backends::openvino
