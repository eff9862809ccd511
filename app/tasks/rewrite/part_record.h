#pragma once

#include "app/tasks/rewrite/part_maker.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <vector>

namespace et::tasks {

/// Makes the ETRecord of the part that `maker` has cut: the Edge nodes of its instructions (or of the chosen
/// operators of its delegates), with handles, stacks, modules and weights, and the handles of its
/// instructions. Inputs and outputs of the graph follow those of the part as far as the record identifies
/// these values; between quantized operators of a delegate they have the delegate's memory layout. For a
/// shrunk part, tensors have the sizes that result from the inputs of its first case. Errors: NotFound (the
/// record lacks the method, or has no node of the part); those of the record and of
/// etrecord::writeTorchArchive().
[[nodiscard]] core::Result<ByteVector> partRecord(const PartMaker& maker, const PartChoice& choice,
                                                  const etrecord::Record& record);

/// Path of a part's record: next to the part, with the same name.
[[nodiscard]] std::filesystem::path partRecordFile(const std::filesystem::path& part);

/// Writes the record of the part that `maker` has cut next to the part (partRecordFile()). Errors: those of
/// partRecord(), InvalidArgument (one of `inputs` has that path), Io.
[[nodiscard]] core::Result<> writePartRecord(const PartMaker& maker, const PartChoice& choice,
                                             const etrecord::Record& record,
                                             const std::filesystem::path& part,
                                             const std::vector<std::filesystem::path>& inputs);

}  // namespace et::tasks
