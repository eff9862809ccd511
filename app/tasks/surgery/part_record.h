#pragma once

#include "app/tasks/surgery/part_maker.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <vector>

namespace et::app {

/// The ETRecord of the part that `maker` has cut: the nodes of the Edge graph that its instructions (or the
/// chosen operators of its delegate) are of, with handles, stacks, modules and weights, and the handles of
/// its instructions. Inputs and outputs of the graph follow those of the part as far as the record tells
/// which values these are; between quantized operators of a delegate they are as they lie there. Of a part
/// that was made smaller, its tensors have the sizes that they have on the inputs of its first case. Errors:
/// NotFound (the record has nothing of the method, or no node of the part); those of the record and of
/// etrecord::writeTorchArchive().
[[nodiscard]] core::Result<ByteVector> partRecord(const PartMaker& maker, const PartChoice& choice,
                                                  const etrecord::Record& record);

/// Where the record of a part lies: beside it, under its name.
[[nodiscard]] std::filesystem::path partRecordFile(const std::filesystem::path& part);

/// Writes the record of the part that `maker` has cut beside it (partRecordFile()). Errors: as partRecord(),
/// InvalidArgument (one of `inputs` lies there), Io.
[[nodiscard]] core::Result<> writePartRecord(const PartMaker& maker, const PartChoice& choice,
                                             const etrecord::Record& record,
                                             const std::filesystem::path& part,
                                             const std::vector<std::filesystem::path>& inputs);

}  // namespace et::app
