#include "app/samples/sample_set.h"
#include "etdump/trace.h"

#include <et_inspect/conversation.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <string>

namespace et_inspect::test {
namespace {

using testing::HasSubstr;

/// A folder with the sample language model.
class EmbedConversationTest : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        folder = testing::TempDir() + "embed_llama";
        std::filesystem::create_directories(folder);
        const auto made = et::samples::writeSampleSet("llama", folder);
        ASSERT_TRUE(made) << made.error().toString();
    }
    static Conversation open(const ConversationOptions& options = {.max_tokens = 8}) {
        return Conversation::open(folder + "/llama.pte", folder + "/llama_tokenizer.bin", options).value();
    }
    inline static std::string folder;
};

TEST_F(EmbedConversationTest, StreamsAnAnswerAndMeasuresIt) {
    Conversation chat = open();
    std::string streamed;
    const Answer answer = chat.say("Once", [&](std::string_view text) { streamed += text; }).value();
    EXPECT_EQ(answer.text, streamed);
    EXPECT_EQ(answer.ids.size(), 8U);
    EXPECT_EQ(answer.end, AnswerEnd::MaxTokens);
    EXPECT_EQ(name(answer.end), "max tokens");
    EXPECT_EQ(answer.prompt_ids, chat.encode("Once").value());
    EXPECT_EQ(chat.decode(answer.ids).value(), answer.text);
    EXPECT_EQ(answer.statistics.prompt_tokens, answer.prompt_ids.size());
    EXPECT_EQ(answer.statistics.generated_tokens, 8U);
    EXPECT_GT(answer.statistics.load_ms, 0);
    EXPECT_GT(answer.statistics.decode_rate, 0);
    EXPECT_GE(answer.statistics.total_ms, answer.statistics.decode_ms);
    EXPECT_EQ(answer.position, chat.position());
    EXPECT_LT(chat.position(), chat.context_length());
}

TEST_F(EmbedConversationTest, ContinuesUntilItIsReset) {
    Conversation chat = open();
    const Answer first = chat.say("Once").value();
    const Answer second = chat.say("Once").value();
    EXPECT_GT(second.position, first.position);
    ASSERT_TRUE(chat.reset());
    EXPECT_EQ(chat.position(), 0U);
    EXPECT_EQ(chat.say("Once")->ids, first.ids);
}

TEST_F(EmbedConversationTest, ResetSeedsTheSamplerAgain) {
    Conversation chat = open({.max_tokens = 8, .temperature = 1, .seed = 7});
    const Answer first = chat.say("Once").value();
    ASSERT_TRUE(chat.reset());
    EXPECT_EQ(chat.say("Once")->ids, first.ids);
}

TEST_F(EmbedConversationTest, StopsAnAnswer) {
    Conversation chat = open({.ignore_eos = true});
    std::size_t pieces = 0;
    const Answer answer = chat.say("Once",
                                   [&](std::string_view) {
                                       if (++pieces == 3) {
                                           chat.stop();
                                       }
                                   })
                              .value();
    EXPECT_EQ(answer.end, AnswerEnd::Interrupted);
    EXPECT_LT(answer.ids.size(), 10U);
    EXPECT_NE(chat.say("Once")->end, AnswerEnd::Interrupted);
}

TEST_F(EmbedConversationTest, RecordsATrace) {
    const std::string path = folder + "/chat.etdp";
    Conversation chat = open({.max_tokens = 4, .etdump = path});
    ASSERT_TRUE(chat.say("Once"));
    ASSERT_TRUE(chat.finish_trace());
    const auto trace = et::etdump::Trace::open(path);
    ASSERT_TRUE(trace) << trace.error().toString();
    EXPECT_GT((*trace)->eventCount(), 0U);
}

TEST_F(EmbedConversationTest, NamesWrongOptionsAsMembers) {
    const auto late = Conversation::open(folder + "/llama.pte", folder + "/llama_tokenizer.bin",
                                         {.start_position = 1'000'000});
    EXPECT_THAT(late.error().message, HasSubstr("start_position: expected a position below the context"));
    Conversation chat = open();
    EXPECT_THAT(chat.say("").error().message, HasSubstr("bos"));
    EXPECT_EQ(Conversation::open("none.pte", folder + "/llama_tokenizer.bin").error().code, ErrorCode::Io);
    EXPECT_FALSE(Conversation::open(folder + "/llama_tokenizer.bin", folder + "/llama_tokenizer.bin"));
}

}  // namespace
}  // namespace et_inspect::test
