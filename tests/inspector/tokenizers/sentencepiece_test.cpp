// Tests of SentencePiece models against SentencePiece's own library, on random strings and ids.
#include "inspector/tokenizers/tokenizer.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>
#include <sentencepiece_processor.h>

#include <array>
#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {
namespace {

using inspector::TokenId;

class SentencePieceModels : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        ET_NEEDS_SHARED_DATA();
        const std::string file = (sharedData() / "llm/tokenizers" / GetParam() / "tokenizer.model").string();
        auto opened = inspector::openTokenizer(file);
        ASSERT_TRUE(opened) << opened.error().toString();
        tokenizer = *std::move(opened);
        ASSERT_TRUE(library.Load(file).ok());
    }
    std::size_t below(std::size_t limit) { return random() % limit; }
    /// Pieces, blanks and characters that normalizers change or that no piece has.
    std::string text() {
        constexpr std::array<std::string_view, 20> odd{" ",      "   ",    "\t",         "\n",     "\u00a0",
                                                       "\u3000", "\u2581", "e\u0301",    "\ufb01", "\u2460",
                                                       "\u6587", "\u200d", "\u200b",     "<s>",    "</s>",
                                                       "<unk>",  "<0x0A>", "\U0001F642", "\u0928", "\uff21"};
        std::string made;
        for (std::size_t parts = 1 + below(10); parts > 0; --parts) {
            made += below(3) == 0
                        ? std::string(odd[below(odd.size())])
                        : tokenizer->piece(static_cast<TokenId>(below(tokenizer->vocabularySize())));
            made += below(3) == 0 ? " " : "";
        }
        return made;
    }

    std::unique_ptr<inspector::Tokenizer> tokenizer;
    sentencepiece::SentencePieceProcessor library;
    std::minstd_rand random{7};  // NOLINT(cert-msc51-cpp): the same in each run
};

TEST_P(SentencePieceModels, EncodeAndDecodeAsTheLibrary) {
    for (int round = 0; round < 2000; ++round) {
        const std::string given = text();
        std::vector<int> expected;
        ASSERT_TRUE(library.Encode(given, &expected).ok());
        const auto ids = tokenizer->encode(given);
        ASSERT_TRUE(ids) << given << ids.error().toString();
        EXPECT_EQ(*ids, std::vector<TokenId>(expected.begin(), expected.end())) << given;
        if (below(2) == 0) {
            expected.clear();
            for (std::size_t count = below(8); count > 0; --count) {
                expected.push_back(static_cast<int>(below(tokenizer->vocabularySize())));
            }
        }
        std::string decoded;
        ASSERT_TRUE(library.Decode(expected, &decoded).ok());
        EXPECT_EQ(tokenizer->decode(std::vector<TokenId>(expected.begin(), expected.end())).value(), decoded)
            << testing::PrintToString(expected);
    }
}

INSTANTIATE_TEST_SUITE_P(All, SentencePieceModels, testing::Values("spm_bpe", "spm_unigram"),
                         [](const auto& name) { return std::string(name.param); });

}  // namespace
}  // namespace et::test
