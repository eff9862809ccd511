#include "app/tasks/gap/linked_record.h"

#include "etrecord/torch_writer.h"
#include "etrecord/writer.h"

#include <fmt/format.h>

#include <utility>

namespace et::tasks {

using core::Result;

Result<std::shared_ptr<const etrecord::Record>> withMaps(const etrecord::Record& record,
                                                         const LinkedMaps& maps) {
    ET_ASSIGN(core::FileContent content, etrecord::replaceMaps(record, maps));
    return etrecord::Record::parse(std::move(content), record.file().name());
}

Result<std::shared_ptr<const etrecord::Record>> withGraph(const etrecord::Record& record,
                                                          const std::string& method,
                                                          const etrecord::ExportedGraph& graph) {
    const std::string entry = record.layout() == etrecord::RecordLayout::Legacy2023
                                  ? std::string("edge_dialect_exported_program")
                                  : fmt::format("edge_dialect_exported_program/{}", method);
    const auto tensors = [&](const char* kind) -> Result<core::FileContent> {
        const auto* found = record.zip().find(entry + kind);
        return found == nullptr ? etrecord::torchArchiveFile({etrecord::ArchiveValue::Dict{}})
                                : record.zip().pieces(*found);
    };
    ET_ASSIGN(core::FileContent state, tensors("_state_dict"));
    ET_ASSIGN(core::FileContent constants, tensors("_constants"));
    ET_ASSIGN(core::FileContent content,
              etrecord::replaceMethod(record, {.method = method,
                                               .graph = graph,
                                               .stateDict = std::move(state),
                                               .constants = std::move(constants)}));
    return etrecord::Record::parse(std::move(content), record.file().name());
}

}  // namespace et::tasks
