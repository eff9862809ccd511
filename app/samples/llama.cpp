#include "app/samples/llama.h"

#include "app/samples/llama_builder.h"
#include "app/samples/llama_graph.h"
#include "app/samples/word_tokenizer.h"
#include "runtime/builder/program_builder.h"

#include <string_view>
#include <utility>

namespace et::samples {

void addLanguageConstants(builder::ProgramBuilder& program, const LlamaShape& shape) {
    const auto number = [&](std::string_view name, std::int64_t value) {
        builder::MethodBuilder& method = program.method(name);
        method.output(method.integer(value));
    };
    const auto truth = [&](std::string_view name, bool value) {
        builder::MethodBuilder& method = program.method(name);
        method.output(method.boolean(value));
    };
    number("get_max_seq_len", shape.context);
    number("get_max_context_len", shape.context);
    number("get_n_layers", shape.layers);
    number("get_vocab_size", shape.vocabulary);
    number("get_bos_id", bosToken);
    number("get_eos_ids", eosToken);
    truth("use_kv_cache", true);
    truth("use_sdpa_with_kv_cache", true);
    truth("enable_dynamic_shape", false);
}

core::Result<std::vector<SampleFile>> makeLlama(const LlamaShape& shape) {
    builder::ProgramBuilder program;
    StatefulGraph graph(program.method("forward"), "forward");
    LlamaBuilder(graph, shape).run();
    addLanguageConstants(program, shape);
    std::vector<SampleFile> files;
    ET_ASSIGN(std::vector<std::byte> bytes, program.finish());
    files.push_back({.name = "llama.pte", .bytes = std::move(bytes)});
    ET_ASSIGN(std::vector<std::byte> record, recordOf({&graph}));
    files.push_back({.name = "llama.etrecord", .bytes = std::move(record)});
    files.push_back({.name = "llama_tokenizer.bin", .bytes = wordTokenizer()});
    return files;
}

}  // namespace et::samples
