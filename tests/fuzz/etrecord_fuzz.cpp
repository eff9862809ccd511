// A record: the zip, the graphs and maps in it, and the pickles of its torch archives.
#include "etrecord/lowered_module.h"
#include "etrecord/record.h"

#include <cstdint>
#include <span>
#include <string>
#include <tuple>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto opened =
        et::etrecord::Record::parse(et::core::MappedFile::fromMemory({bytes.begin(), bytes.end()}));
    if (!opened) {
        std::ignore = opened.error().toString();
        return 0;
    }
    const et::etrecord::Record& record = **opened;
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
