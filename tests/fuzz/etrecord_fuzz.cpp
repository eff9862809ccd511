// Fuzzes ETRecords: the zip, its graphs and maps, and the pickles of its torch archives. Graphs and maps must
// survive a write and read.
#include "etrecord/lowered_module.h"
#include "etrecord/record.h"
#include "etrecord/writer.h"
#include "tests/fuzz/support/byte_source.h"
#include "tests/fuzz/support/zip_mutator.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using et::etrecord::Record;
using et::fuzz::require;

et::core::Result<std::shared_ptr<const Record>> parse(std::vector<std::byte> bytes) {
    return Record::parse(et::core::MappedFile::fromMemory(std::move(bytes)));
}

/// Without its archives, which torch_archive_fuzz.cpp covers.
et::core::Result<std::vector<std::byte>> rewritten(const Record& record) {
    et::etrecord::RecordWriter writer;
    for (const std::string& method : record.methods()) {
        writer.addEdgeGraph(method, *record.edgeGraph(method));
        if (const auto* maps = record.maps(method)) {
            writer.setMaps(method, *maps);
        }
    }
    if (const auto id = record.exportGraphId()) {
        writer.setExportGraphId(*id);
    }
    return writer.finish();
}

void checkWriting(const Record& record) {
    const auto written = rewritten(record);
    const auto again = written ? parse(*written) : et::core::Result<std::shared_ptr<const Record>>();
    if (!written || !again) {  // a name that no entry can have; graphs are covered by graph_json_fuzz.cpp
        return;
    }
    require((*again)->methods() == record.methods() && (*again)->exportGraphId() == record.exportGraphId());
    for (const std::string& method : record.methods()) {
        const auto* before = record.maps(method);
        const auto* after = (*again)->maps(method);
        require(before == nullptr || (after != nullptr && *after == *before));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto opened = parse({bytes.begin(), bytes.end()});
    if (!opened) {
        std::ignore = opened.error().toString();
        return 0;
    }
    const Record& record = **opened;
    checkWriting(record);
    for (const std::string& method : record.methods()) {
        for (const et::etrecord::Node& node : record.edgeGraph(method)->nodes) {
            std::ignore = node.history();
            for (const et::etrecord::Argument& input : node.inputs) {
                if (const auto* text = std::get_if<std::string>(&input.value)) {
                    std::ignore = et::etrecord::parseLoweredModule(*text, "fuzz");
                }
            }
        }
        std::ignore = record.maps(method);
    }
    std::ignore = record.exportedProgram();
    for (const std::string& name : record.extraGraphNames()) {
        std::ignore = record.extraGraph(name);
    }
    for (const std::string& name : record.archiveNames()) {
        std::ignore = record.listTensors(name);
        const auto archive = record.archive(name);
        for (const auto& tensor : archive ? archive->tensors() : std::vector<et::etrecord::TorchTensor>()) {
            std::ignore = archive->load(tensor, 1 << 20);
        }
    }
    return 0;
}
