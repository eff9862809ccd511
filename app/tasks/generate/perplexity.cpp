#include "app/tasks/generate/perplexity.h"

#include "inspector/generate/sampler.h"
#include "runtime/core/mapped_file.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::TokenId;

/// Reads passages from arguments.
class PassageReader {
  public:
    PassageReader(const inspector::Tokenizer& tokenizer, std::vector<TokenId> start)
        : words(tokenizer), before(std::move(start)) {}

    Result<> add(const std::string& argument) {
        std::error_code unknown;
        if (std::filesystem::is_regular_file(argument, unknown)) {
            return addFile(argument);
        }
        if (argument.find_first_of(" \t\n") == std::string::npos) {
            return fail(ErrorCode::NotFound,
                        "no such file; an argument is read as text only if it contains a space",
                        {.file = argument, .field = {}, .offset = {}});
        }
        return addText(argument.substr(0, shownBytes), argument);
    }
    std::vector<Passage> passages;

  private:
    static constexpr std::size_t shownBytes = 40;

    Result<> addText(std::string name, std::string_view text) {
        const auto encoded = words.encode(text);
        if (!encoded) {
            return std::unexpected(core::Error(encoded.error()).in(name));
        }
        Passage passage{.name = std::move(name), .ids = before};
        passage.ids.insert(passage.ids.end(), encoded->begin(), encoded->end());
        passages.push_back(std::move(passage));
        return {};
    }

    Result<> addFile(const std::string& path) {
        ET_ASSIGN(const auto file, core::MappedFile::open(path));
        const core::Bytes bytes = file->bytes();
        const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return path.ends_with(".jsonl") ? addLines(path, text) : addText(path, text);
    }

    Result<> addLines(const std::string& path, std::string_view text) {
        std::size_t number = 0;
        while (!text.empty()) {
            const std::size_t end = text.find('\n');
            const std::string_view line = text.substr(0, end);
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
            ++number;
            if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
                ET_TRY(addLine(fmt::format("{}:{}", path, number), line));
            }
        }
        return {};
    }

    Result<> addLine(std::string name, std::string_view line) {
        simdjson::dom::element row;
        const simdjson::padded_string padded(line);
        if (parser.parse(padded).get(row) != simdjson::SUCCESS) {
            return fail(ErrorCode::Format, "expected a line of JSON",
                        {.file = std::move(name), .field = {}, .offset = {}});
        }
        simdjson::dom::array ids;
        if (row["ids"].get(ids) == simdjson::SUCCESS) {
            Passage passage{.name = std::move(name), .ids = {}};
            for (const simdjson::dom::element each : ids) {
                std::uint64_t id = 0;
                if (each.get(id) != simdjson::SUCCESS || id > std::numeric_limits<TokenId>::max()) {
                    return fail(ErrorCode::Format, "expected integer ids",
                                {.file = passage.name, .field = "ids", .offset = {}});
                }
                passage.ids.push_back(static_cast<TokenId>(id));
            }
            passages.push_back(std::move(passage));
            return {};
        }
        std::string_view text;
        if (row["text"].get(text) != simdjson::SUCCESS) {
            return fail(ErrorCode::Format, "expected {\"text\": …} or {\"ids\": […]}",
                        {.file = std::move(name), .field = {}, .offset = {}});
        }
        return addText(std::move(name), text);
    }

    const inspector::Tokenizer& words;
    std::vector<TokenId> before;
    simdjson::dom::parser parser;
};

/// Computes log-sum-exp.
double logSum(std::span<const float> logits) {
    const double largest = *std::ranges::max_element(logits);
    double sum = 0;
    for (const float logit : logits) {
        sum += std::exp(static_cast<double>(logit) - largest);
    }
    return largest + std::log(sum);
}

double mean(double sum, std::size_t count) {
    return count == 0 ? 0 : sum / static_cast<double>(count);
}

}  // namespace

Result<std::vector<Passage>> readPassages(std::span<const std::string> arguments,
                                          const inspector::Tokenizer& tokenizer, std::size_t bos,
                                          std::optional<TokenId> programBos) {
    std::optional<TokenId> first = tokenizer.bos();
    first = first ? first : programBos;
    if (bos > 0 && !first) {
        return fail(ErrorCode::InvalidArgument,
                    "--bos: neither the tokenizer nor the program has a BOS token");
    }
    constexpr std::size_t mostBos = 1024;
    PassageReader reader(tokenizer, std::vector<TokenId>(std::min(bos, mostBos), first.value_or(0)));
    for (const std::string& argument : arguments) {
        ET_TRY(reader.add(argument));
    }
    return std::move(reader.passages);
}

double PassageResult::perplexity() const {
    return std::exp(mean(nll, tokenNll.size()));
}

double PassageResult::referencePerplexity() const {
    return std::exp(mean(referenceSum, referenceNll.size()));
}

double PassageResult::meanDivergence() const {
    double sum = 0;
    for (const PredictionDifference& each : differences) {
        sum += each.divergence;
    }
    return mean(sum, differences.size());
}

double PassageResult::agreement() const {
    return mean(static_cast<double>(std::ranges::count_if(differences, &PredictionDifference::sameTop)),
                differences.size());
}

std::optional<std::size_t> PassageResult::firstDifference() const {
    const auto found = std::ranges::find_if_not(differences, &PredictionDifference::sameTop);
    return found == differences.end() ? std::nullopt
                                      : std::optional(static_cast<std::size_t>(found - differences.begin()));
}

double negativeLogLikelihood(std::span<const float> logits, std::size_t target) {
    return logSum(logits) - static_cast<double>(logits[target]);
}

PredictionDifference differenceOf(std::span<const float> program, std::span<const float> reference) {
    PredictionDifference difference{
        .sameTop = inspector::mostLikely(program) == inspector::mostLikely(reference),
        .sameLogits = std::ranges::equal(program, reference)};
    const double programSum = logSum(program);
    const double referenceSum = logSum(reference);
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const double logShare = static_cast<double>(reference[i]) - referenceSum;
        difference.divergence +=
            std::exp(logShare) * (logShare - (static_cast<double>(program[i]) - programSum));
        const double off = std::abs(static_cast<double>(program[i]) - static_cast<double>(reference[i]));
        difference.maxLogit = std::isnan(off) || off > difference.maxLogit ? off : difference.maxLogit;
    }
    // Rounding may make the divergence of equal distributions slightly negative.
    difference.divergence = difference.divergence < 0 ? 0 : difference.divergence;
    return difference;
}

Result<PassageResult> predictPassage(LogitSource& program, LogitSource* reference, const Passage& passage,
                                     ProgressReporter& watch) {
    if (passage.ids.size() < 2) {
        return fail(ErrorCode::InvalidArgument, "expected at least two tokens",
                    {.file = passage.name, .field = {}, .offset = {}});
    }
    PassageResult result{.passage = passage, .tokenNll = {}, .referenceNll = {}};
    const std::size_t window = program.context() == 0 ? passage.ids.size() : program.context();
    for (std::size_t at = 0; at + 1 < passage.ids.size(); ++at) {
        if (at % window == 0) {
            ET_TRY(program.restart());
            ET_TRY(reference != nullptr ? reference->restart() : Result<>());
        }
        const TokenId target = passage.ids[at + 1];
        ET_ASSIGN(const std::span<const float> logits, program.step(passage.ids[at]));
        if (target >= logits.size()) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("expected tokens below {}, got {}", logits.size(), target),
                        {.file = passage.name, .field = {}, .offset = {}});
        }
        result.tokenNll.push_back(negativeLogLikelihood(logits, target));
        result.nll += result.tokenNll.back();
        if (reference != nullptr) {
            ET_ASSIGN(const std::span<const float> expected, reference->step(passage.ids[at]));
            if (expected.size() != logits.size()) {
                return fail(ErrorCode::Unsupported,
                            fmt::format("the program returns {} logits, {} returns {}", logits.size(),
                                        reference->name(), expected.size()));
            }
            result.referenceNll.push_back(negativeLogLikelihood(expected, target));
            result.referenceSum += result.referenceNll.back();
            result.differences.push_back(differenceOf(logits, expected));
        }
        watch.step();
    }
    return result;
}

}  // namespace et::tasks
