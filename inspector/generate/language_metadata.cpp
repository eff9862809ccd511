#include "inspector/generate/language_metadata.h"

#include <algorithm>

namespace et::inspector {

const ProgramConstant* LanguageMetadata::find(std::string_view name) const {
    const auto found = std::ranges::find(constants, name, &ProgramConstant::name);
    return found == constants.end() ? nullptr : &*found;
}

LanguageMetadata languageMetadata(const program::Program& program) {
    LanguageMetadata metadata;
    metadata.constants = program::programConstants(program);
    const auto number = [&](std::string_view name) {
        const ProgramConstant* found = metadata.find(name);
        return found == nullptr ? std::nullopt : found->number();
    };
    const auto first = [&](std::initializer_list<std::string_view> names) {
        std::optional<std::int64_t> found;
        for (const std::string_view name : names) {
            found = found ? found : number(name);
        }
        return found;
    };
    metadata.maxSequence = first({"get_max_seq_len", "get_prefill_chunk_size"});
    metadata.maxContext = first({"get_max_context_len", "get_max_ctx_len"});
    if (!metadata.maxContext) {
        metadata.maxContext = metadata.maxSequence;
    }
    metadata.vocabulary = number("get_vocab_size");
    metadata.layers = number("get_n_layers");
    metadata.bos = number("get_bos_id");
    metadata.usesCache = number("use_kv_cache").value_or(1) != 0;
    metadata.dynamicShape = number("enable_dynamic_shape").value_or(0) != 0;
    for (const std::string_view name : {"get_eos_ids", "get_eos_id"}) {
        const ProgramConstant* found = metadata.find(name);
        for (const std::int64_t id : found == nullptr ? std::vector<std::int64_t>() : found->numbers()) {
            if (!std::ranges::contains(metadata.eos, id)) {
                metadata.eos.push_back(id);
            }
        }
    }
    return metadata;
}

}  // namespace et::inspector
