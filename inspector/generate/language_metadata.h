#pragma once

#include "runtime/program/constant_method.h"
#include "runtime/program/program.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace et::inspector {

using program::isConstantMethod;
using program::ProgramConstant;

/// A program's metadata as a language model. Unchecked; LanguageForm validates the values.
struct LanguageMetadata {
    std::vector<ProgramConstant> constants;  ///< all, in file order

    /// get_max_seq_len or get_prefill_chunk_size: maximum tokens per call.
    std::optional<std::int64_t> maxSequence;
    /// get_max_context_len or get_max_ctx_len, else maxSequence: maximum positions.
    std::optional<std::int64_t> maxContext;
    std::optional<std::int64_t> vocabulary;  ///< get_vocab_size
    std::optional<std::int64_t> layers;      ///< get_n_layers
    std::optional<std::int64_t> bos;         ///< get_bos_id
    std::vector<std::int64_t> eos;           ///< get_eos_ids, get_eos_id
    bool usesCache = true;                   ///< use_kv_cache
    bool dynamicShape = false;               ///< enable_dynamic_shape

    [[nodiscard]] const ProgramConstant* find(std::string_view name) const;
};

[[nodiscard]] LanguageMetadata languageMetadata(const program::Program& program);

}  // namespace et::inspector
