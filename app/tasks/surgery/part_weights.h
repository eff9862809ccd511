#pragma once

#include "app/tasks/surgery/program_bytes.h"
#include "app/tasks/surgery/size_changes.h"
#include "etrecord/exported_graph.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <string>

namespace et::app {

/// The weights that a part's graph reads from an archive of the record, as an archive of their own, with the
/// sizes that `constants` says in place of those of the whole. Errors: those of the record's archive; Limit.
[[nodiscard]] core::Result<ByteVector> weightsOf(const etrecord::ExportedGraph& graph,
                                                 const etrecord::Record& record, const std::string& archive,
                                                 const SizeChanges& constants);

/// Lets the graph's weights be as small as weightsOf() makes them.
void shrinkWeights(etrecord::ExportedGraph& graph, const SizeChanges& constants);

}  // namespace et::app
