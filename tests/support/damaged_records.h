#pragma once

#include "etrecord/record.h"
#include "etrecord/writer.h"
#include "runtime/archive/zip.h"
#include "tests/support/parse_bytes.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <variant>
#include <vector>

namespace et::test {

/// Records whose graph has one fault that exporters never produce.
class DamagedRecords {
  public:
    explicit DamagedRecords(const std::filesystem::path& path)
        : original(etrecord::Record::open(path).value()),
          zip(archive::ZipArchive::open(core::MappedFile::open(path).value()).value()) {}

    /// Returns the next record; the sequence is the same in every run.
    [[nodiscard]] std::shared_ptr<const etrecord::Record> next() {
        etrecord::ExportedGraph graph = *original->edgeGraph("forward");
        damage(graph);
        return with(graph);
    }

  private:
    /// The record with a different graph for forward.
    [[nodiscard]] std::shared_ptr<const etrecord::Record> with(const etrecord::ExportedGraph& graph) const {
        etrecord::RecordWriter writer;
        writer.addEdgeGraph("forward", graph);
        for (const std::string& name : original->archiveNames()) {
            if (name.starts_with("edge_dialect_exported_program/forward")) {
                const auto content = zip.read(*zip.find(name)).value();
                writer.addArchive(name, {content.bytes().begin(), content.bytes().end()});
            }
        }
        return parseBytes<etrecord::Record>(writer.finish().value()).value();
    }

    /// Changes one property of the graph.
    void damage(etrecord::ExportedGraph& graph) {
        auto& node = graph.nodes[pick(graph.nodes.size())];
        auto tensor =
            std::next(graph.tensors.begin(), static_cast<std::ptrdiff_t>(pick(graph.tensors.size())));
        switch (pick(8)) {
            case 0:
                tensor->second.sizes.resize(pick(7));
                break;
            case 1:
                if (!tensor->second.sizes.empty()) {
                    tensor->second.sizes[pick(tensor->second.sizes.size())] = {
                        .value = numbers[pick(numbers.size())], .expression = {}};
                }
                break;
            case 2:
                tensor->second.scalarType = static_cast<std::int8_t>(pick(16));
                break;
            case 3:
                graph.tensors.erase(tensor);
                break;
            case 4:
                if (!node.inputs.empty()) {
                    node.inputs.erase(node.inputs.begin() +
                                      static_cast<std::ptrdiff_t>(pick(node.inputs.size())));
                }
                break;
            case 5:
                damageNumbers(node);
                break;
            case 6:
                for (auto& argument : node.inputs) {
                    if (auto* ref = std::get_if<etrecord::ValueRef>(&argument.value)) {
                        ref->name = tensor->first;
                    }
                }
                break;
            default:
                node.target = graph.nodes[pick(graph.nodes.size())].target;
                node.op = etrecord::operatorName(node.target);
                break;
        }
    }

    void damageNumbers(etrecord::Node& node) {
        for (auto& argument : node.inputs) {
            if (auto* whole = std::get_if<std::int64_t>(&argument.value)) {
                *whole = numbers[pick(numbers.size())];
            } else if (auto* list = std::get_if<std::vector<etrecord::SymInt>>(&argument.value)) {
                list->resize(pick(6), {.value = numbers[pick(numbers.size())], .expression = {}});
            } else if (auto* real = std::get_if<double>(&argument.value)) {
                *real = static_cast<double>(numbers[pick(numbers.size())]);
            }
        }
    }

    std::size_t pick(std::size_t count) { return random() % count; }

    static constexpr std::array<std::int64_t, 9> numbers{
        0, 1, -1, 3, 7, 1 << 20, -(1 << 20), std::int64_t{1} << 40, std::numeric_limits<std::int64_t>::min()};
    std::shared_ptr<const etrecord::Record> original;
    archive::ZipArchive zip;
    std::mt19937 random{7};
};

}  // namespace et::test
