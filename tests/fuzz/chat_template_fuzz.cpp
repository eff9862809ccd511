// Fuzzes rendering a conversation with chat templates.
#include "inspector/tokenizers/chat_template.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    auto parsed = et::inspector::ChatTemplate::parse(text, "chat_template.jinja");
    if (!parsed) {
        std::ignore = parsed.error().toString();
        return 0;
    }
    parsed->setTokens("<s>", "</s>");
    const std::vector<et::inspector::ChatMessage> messages{
        {.role = "system", .content = " Be  brief.\n"},
        {.role = "user", .content = "Hi \xc3\xa9 \"q\""},
        {.role = "assistant", .content = "<think>hm</think>\nYes"},
        {.role = "user", .content = ""}};
    for (const bool asks : {true, false}) {
        if (const auto made = parsed->render(messages, asks); !made) {
            std::ignore = made.error().toString();
        }
    }
    return 0;
}
