#include "etrecord/record_maker.h"

#include "etrecord/detail/layout.h"
#include "etrecord/writer.h"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <utility>

namespace et::etrecord {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// The archives of a graph's tensors.
struct TensorArchives {
    ArchiveValue::Dict state;  ///< parameters and persistent buffers
    ArchiveValue::Dict constants;
};

Result<TensorArchives> archivesOf(const MethodContent& content) {
    TensorArchives archives;
    std::set<std::string_view> known;
    for (const InputSpec& spec : content.graph.inputSpecs) {
        if (spec.target.empty() || !known.insert(spec.target).second) {
            continue;
        }
        const auto found = content.tensors.find(spec.target);
        if (found == content.tensors.end()) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("there is no tensor \"{}\"", core::printable(spec.target)));
        }
        const bool isLasting = spec.kind == "parameter" || (spec.kind == "buffer" && spec.persistent);
        (isLasting ? archives.state : archives.constants).push_back({spec.target, {found->second}});
    }
    return archives;
}

}  // namespace

Result<std::shared_ptr<const Record>> makeRecord(std::span<const MethodContent> methods, std::string name,
                                                 std::span<const std::shared_ptr<const void>> owners) {
    RecordWriter writer;
    for (const MethodContent& content : methods) {
        writer.addEdgeGraph(content.method, content.graph);
        const std::string entry = fmt::format("{}/{}", detail::edgeEntry, content.method);
        ET_ASSIGN(TensorArchives archives, archivesOf(content));
        ET_ASSIGN(core::FileContent state, torchArchiveFile({std::move(archives.state)}));
        ET_ASSIGN(core::FileContent constants, torchArchiveFile({std::move(archives.constants)}));
        writer.addArchive(entry + "_state_dict", std::move(state));
        writer.addArchive(entry + "_constants", std::move(constants));
    }
    ET_ASSIGN(core::FileContent file, writer.finishInPieces());
    for (const std::shared_ptr<const void>& owner : owners) {
        file.keepAlive(owner);
    }
    return Record::parse(std::move(file), std::move(name));
}

}  // namespace et::etrecord
