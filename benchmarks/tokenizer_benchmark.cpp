// Tokenizes ten megabytes of text with every tokenizer of the language-model corpus; SentencePiece is also
// compared with its own library (docs/explanation/performance.md). The text is that of docs/, varied in each
// copy so that cached words give no advantage.

#include "inspector/tokenizers/tokenizer.h"

#include <benchmark/benchmark.h>
#include <sentencepiece_processor.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr std::size_t textBytes = 10'000'000;

std::string readText(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Appends `text` with one in eight words altered depending on `copy`.
void addCopy(std::string& all, std::string_view text, std::size_t copy) {
    std::size_t letters = 0;
    for (const char each : text) {
        all += each;
        letters = std::isalpha(static_cast<unsigned char>(each)) != 0 ? letters + 1 : 0;
        if (letters == 4 && (all.size() * 2654435761U >> 8U) % 8 == 0) {
            for (std::size_t number = copy + 1; number > 0; number /= 26) {
                all += static_cast<char>('a' + number % 26);
            }
        }
    }
}

const std::string& text() {
    static const std::string all = [] {
        std::vector<fs::path> files;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(ET_DOCS)) {
            if (entry.path().extension() == ".md") {
                files.push_back(entry.path());
            }
        }
        std::ranges::sort(files);
        std::string made;
        for (std::size_t copy = 0; made.size() < textBytes; ++copy) {
            for (const fs::path& file : files) {
                addCopy(made, readText(file), copy);
            }
        }
        // Do not cut a UTF-8 character at the end.
        std::size_t end = textBytes;
        while ((static_cast<unsigned char>(made[end]) & 0xC0U) == 0x80U) {
            --end;
        }
        return made.substr(0, end);
    }();
    return all;
}

void encode(benchmark::State& state, const fs::path& file) {
    std::size_t tokens = 0;
    for ([[maybe_unused]] const auto step : state) {
        // A new tokenizer each time, so that its word cache is empty.
        state.PauseTiming();
        const auto tokenizer = et::inspector::openTokenizer(file.string());
        state.ResumeTiming();
        if (!tokenizer) {
            state.SkipWithError(tokenizer.error().message.c_str());
            return;
        }
        const auto ids = (*tokenizer)->encode(text());
        if (!ids) {
            state.SkipWithError(ids.error().message.c_str());
            return;
        }
        tokens = ids->size();
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text().size()));
    state.counters["tokens"] = static_cast<double>(tokens);
}

void encodeByLibrary(benchmark::State& state, const fs::path& file) {
    std::size_t tokens = 0;
    for ([[maybe_unused]] const auto step : state) {
        state.PauseTiming();
        sentencepiece::SentencePieceProcessor processor;
        const auto loaded = processor.Load(file.string());
        state.ResumeTiming();
        std::vector<int> ids;
        if (!loaded.ok() || !processor.Encode(text(), &ids).ok()) {
            state.SkipWithError("SentencePiece cannot");
            return;
        }
        tokens = ids.size();
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text().size()));
    state.counters["tokens"] = static_cast<double>(tokens);
}

struct TokenizerFile {
    const char* file;
    bool hasLibrary = false;
};
constexpr std::array files{
    TokenizerFile{"hf_bpe_llama3/tokenizer.json"},      TokenizerFile{"hf_bpe_gpt2/tokenizer.json"},
    TokenizerFile{"hf_bpe_llama2/tokenizer.json"},      TokenizerFile{"hf_wordpiece/tokenizer.json"},
    TokenizerFile{"hf_unigram/tokenizer.json"},         TokenizerFile{"spm_bpe/tokenizer.model", true},
    TokenizerFile{"spm_unigram/tokenizer.model", true}, TokenizerFile{"llama2c/tokenizer.bin"},
    TokenizerFile{"tiktoken/tokenizer.model"},          TokenizerFile{"tekken/tekken.json"}};

}  // namespace

int main(int argc, char** argv) {
    for (const TokenizerFile& each : files) {
        const fs::path path = fs::path(ET_TOKENIZERS) / each.file;
        if (!fs::exists(path)) {
            continue;
        }
        const std::string name = path.parent_path().filename().string();
        benchmark::RegisterBenchmark(name, encode, path)->Unit(benchmark::kMillisecond);
        if (each.hasLibrary) {
            benchmark::RegisterBenchmark(name + "/library", encodeByLibrary, path)
                ->Unit(benchmark::kMillisecond);
        }
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
