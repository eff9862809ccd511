// Two turns of a conversation with the sample llama.
#include <et_inspect/conversation.h>

#include <iostream>

int main() {
    auto chat =
        et_inspect::Conversation::open("llama.pte", "llama_tokenizer.bin", {.max_tokens = 20}).value();
    for (const char* prompt : {"Once upon", " a time"}) {
        const auto answer =
            chat.say(prompt, [](std::string_view text) { std::cout << text << std::flush; }).value();
        std::cout << '\n' << answer.statistics.decode_rate << " tokens/s\n";
    }
}
