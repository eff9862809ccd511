#pragma once

#include "app/tasks/rewrite/program_bytes.h"
#include "app/tasks/rewrite/size_changes.h"
#include "etrecord/exported_graph.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <string>

namespace et::tasks {

/// Copies the weights that a part's graph reads from an archive of the record into a new archive, with the
/// sizes changed by `constants`. Errors: those of the record's archive; Limit.
[[nodiscard]] core::Result<ByteVector> weightsOf(const etrecord::ExportedGraph& graph,
                                                 const etrecord::Record& record, const std::string& archive,
                                                 const SizeChanges& constants);

/// Changes the sizes of the graph's weights to those of weightsOf().
void shrinkWeights(etrecord::ExportedGraph& graph, const SizeChanges& constants);

}  // namespace et::tasks
