#include "app/output/generate/generation_report.h"
#include "app/serve/cancellation.h"
#include "app/serve/current.h"
#include "app/serve/failure.h"
#include "app/serve/functions.h"
#include "app/serve/kernel_caller.h"
#include "app/tasks/generate/conversation.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

// Conversations with language models.
namespace et::serve {
namespace {

struct ServedConversation {
    tasks::GenerateSettings settings;
    std::atomic<bool> cancel = false;
    std::mutex turn;  ///< one call at a time, except stop()
    std::unique_ptr<tasks::Conversation> conversation;
};
using ConversationPointer = std::shared_ptr<ServedConversation>;

/// Converts arguments of et_inspect.Conversation.
tasks::GenerateSettings conversationSettings(Dict& asked) {
    tasks::GenerateSettings out;
    out.maxTokens = entry<std::size_t>(asked, "max_tokens");
    out.sequenceLength = entry<std::size_t>(asked, "seq_len");
    out.startPosition = entry<std::size_t>(asked, "start_position");
    out.bos = entry<std::size_t>(asked, "bos");
    out.ends = entry<std::vector<inspector::TokenId>>(asked, "eos");
    out.ignoreEos = entry<bool>(asked, "ignore_eos");
    out.stops = entry<std::vector<std::string>>(asked, "stops");
    out.chat = {.form = entry<std::string>(asked, "chat_template"),
                .system = entry<std::string>(asked, "system")};
    out.chunk = entry<std::size_t>(asked, "prefill_chunk");
    out.warmup = entry<bool>(asked, "warmup");
    out.sampler = {.temperature = entry<double>(asked, "temperature"),
                   .topP = entry<double>(asked, "top_p"),
                   .topK = entry<std::size_t>(asked, "top_k"),
                   .seed = entry<std::uint64_t>(asked, "seed")};
    out.surprise = entry<bool>(asked, "surprise");
    using Path = std::filesystem::path;
    out.images = entry<std::vector<Path>>(asked, "images");
    out.sounds = entry<std::vector<Path>>(asked, "audio");
    out.encoders = {.tokenEmbedding = entry<Path>(asked, "token_embedding"),
                    .vision = entry<Path>(asked, "vision_encoder"),
                    .audio = entry<Path>(asked, "audio_encoder")};
    out.trace = entry<std::filesystem::path>(asked, "etdump");
    out.model.threads = entry<std::size_t>(asked, "threads");
    out.model.memoryBytes = entry<std::uint64_t>(asked, "memory_limit");
    out.model.tensorData = entry<std::vector<std::filesystem::path>>(asked, "data");
    out.model.plugins = entry<std::vector<std::filesystem::path>>(asked, "plugins");
    return out;
}

ConversationPointer openConversation(const std::filesystem::path& program,
                                     const std::filesystem::path& tokenizer, Dict asked) {
    auto made = std::make_shared<ServedConversation>();
    made->settings = conversationSettings(asked);
    made->settings.program = program;
    made->settings.tokenizer = tokenizer;
    const Cancellation::Link link(made->cancel);
    made->conversation = unwrap(tasks::Conversation::open(made->settings, [&] {
        auto model = tasks::Model::prepare(program, made->settings.model);
        if (model) {
            (*model)->cancel = &made->cancel;
        }
        return model;
    }));
    return made;
}

/// Generates an answer, and calls function `listener` of Python with new text. Returns the JSON of a
/// generation.
std::string say(ServedConversation& self, const std::string& prompt, std::optional<std::uint64_t> listener) {
    const std::lock_guard one(self.turn);
    KernelCaller* const caller = Current<KernelCaller>::get();
    core::Result<> told;
    const auto tell = [&](std::string_view text) {
        if (!told) {
            return;
        }
        List inputs;
        inputs.push_back(valueOf(std::string(text)));
        told = caller->call(*listener, std::move(inputs), {}).transform([](const List&) {});
        if (!told) {
            self.cancel = true;
        }
    };
    tasks::GenerationListener listening;
    if (listener && caller != nullptr) {
        listening.text = tell;
    }
    tasks::ProgressReporter progress({.mode = tasks::ProgressMode::None}, std::nullopt);
    const Cancellation::Link link(self.cancel);
    auto generation = self.conversation->say(prompt, progress, listening);
    self.cancel = false;
    if (!told) {
        throw Failure{.exception = "ArgumentError", .error = std::move(told).error(), .isOfKernel = true};
    }
    const tasks::Generation done = unwrap(std::move(generation));
    return output::jsonLine(unwrap(output::generationReport(self.settings, *self.conversation, done)));
}

std::vector<std::uint32_t> encode(const ServedConversation& self, const std::string& text) {
    return unwrap(self.conversation->tokenizer().encode(text));
}

std::string decode(const ServedConversation& self, const std::vector<std::uint32_t>& ids) {
    return unwrap(self.conversation->tokenizer().decode(ids));
}

void reset(ServedConversation& self) {
    const std::lock_guard one(self.turn);
    unwrap(self.conversation->restart());
}

void finishTrace(ServedConversation& self) {
    const std::lock_guard one(self.turn);
    unwrap(self.conversation->finish());
}

constexpr std::array conversationTable{
    function<&openConversation>("Conversation.open"),
    function<&say>("Conversation.say"),
    function<[](ServedConversation& self) { self.cancel = true; }>("Conversation.stop"),
    function<&reset>("Conversation.reset"),
    function<&finishTrace>("Conversation.finish_trace"),
    function<&encode>("Conversation.encode"),
    function<&decode>("Conversation.decode"),
    function<[](const ServedConversation& self) { return self.conversation->language().form.context; }>(
        "Conversation.context_length"),
    function<[](const ServedConversation& self) { return self.conversation->language().form.vocabulary; }>(
        "Conversation.vocabulary_size"),
    function<[](const ServedConversation& self) { return self.conversation->language().run->position(); }>(
        "Conversation.position"),
    function<[](const ServedConversation& self) { return self.conversation->warnings(); }>(
        "Conversation.warnings"),
};

}  // namespace

std::span<const Function> conversationFunctions() {
    return conversationTable;
}

}  // namespace et::serve
