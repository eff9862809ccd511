#include "app/cli/dap/outbox.h"

#include "inspector/format/json_text.h"

#include <iterator>
#include <utility>

namespace et::cli::dap {

void Outbox::respond(const Request& request, Dict body) {
    sendAs("response", {{"request_seq", request.number},
                        {"success", true},
                        {"command", request.command},
                        {"body", std::move(body)}});
}

void Outbox::refuse(const Request& request, std::string message) {
    sendAs("response", {{"request_seq", request.number},
                        {"success", false},
                        {"command", request.command},
                        {"message", std::move(message)}});
}

void Outbox::event(std::string_view name, Dict body) {
    sendAs("event", {{"event", std::string(name)}, {"body", std::move(body)}});
}

void Outbox::output(std::string_view category, std::string text) {
    event("output", {{"category", std::string(category)}, {"output", std::move(text)}});
}

void Outbox::sendAs(std::string_view type, Dict message) {
    Dict all{{"seq", ++sent}, {"type", std::string(type)}};
    all.insert(all.end(), std::make_move_iterator(message.begin()), std::make_move_iterator(message.end()));
    std::string json = inspector::format::jsonLine(all);
    json.pop_back();
    sends(json);
}

}  // namespace et::cli::dap
