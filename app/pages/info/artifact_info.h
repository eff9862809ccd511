#pragma once

#include "bundled_program/bundle.h"
#include "etdump/trace.h"
#include "etrecord/record.h"
#include "inspector/format/table.h"
#include "inspector/tokenizers/tokenizer.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

/// What each kind of file says of itself, as values that print as text and as JSON. Keys are snake_case and
/// stay; sizes are in bytes unless a key says otherwise.
namespace et::app {

using inspector::report::Cell;
using inspector::report::Dict;
using inspector::report::List;

/// Puts the entries of `more` behind those of `info`.
inline void append(Dict& info, Dict more) {
    std::ranges::move(more, std::back_inserter(info));
}

/// Slots of a method, inputs or outputs: type, and dtype, sizes, … of tensors, the value of others.
[[nodiscard]] List valueInfo(const program::Method& method, const std::vector<program::ValueId>& ids);
[[nodiscard]] Dict programInfo(const program::Program& program);
[[nodiscard]] Dict tensorDataInfo(const program::TensorData& data);
/// Errors: those of the embedded program.
[[nodiscard]] core::Result<Dict> bundleInfo(const bundled_program::Bundle& bundle);
[[nodiscard]] Dict traceInfo(const etdump::Trace& trace);
/// Errors: graphs or archives inside that cannot be read.
[[nodiscard]] core::Result<Dict> recordInfo(const etrecord::Record& record);

/// A tokenizer of a language model.
[[nodiscard]] Dict tokenizerInfo(const inspector::Tokenizer& tokenizer);

/// Finds out what `file` is and describes it: first "file", "kind" and "bytes", then what the kind has to
/// say. Errors: those of the readers; Format (not one of the artifacts).
[[nodiscard]] core::Result<Dict> artifactInfo(const std::shared_ptr<const core::MappedFile>& file);

}  // namespace et::app
