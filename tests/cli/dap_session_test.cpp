// Tests of the debug adapter with an engine that answers from a table.
#include "app/cli/dap/message_decoder.h"
#include "app/cli/dap/session.h"
#include "tests/cli/fake_engine.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace et::cli::dap {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(MessageDecoder, ReadsMessagesByteByByte) {
    const std::string stream = encodeMessage("{\"a\": 1}") + encodeMessage("[]");
    MessageDecoder decoder;
    std::vector<std::string> messages;
    for (const char byte : stream) {
        decoder.append({&byte, 1});
        const auto message = decoder.next();
        ASSERT_TRUE(message);
        if (*message) {
            messages.push_back(**message);
        }
    }
    EXPECT_THAT(messages, ElementsAre("{\"a\": 1}", "[]"));
    decoder.append(encodeMessage("null"));
    EXPECT_EQ(decoder.next().value(), "null") << "nothing was left";
}

TEST(MessageDecoder, IgnoresOtherFields) {
    MessageDecoder decoder;
    decoder.append("Content-Type: text\r\ncontent-length:2\r\n\r\n{}");
    EXPECT_EQ(decoder.next().value(), "{}");
}

TEST(MessageDecoder, RejectsInvalidHeaders) {
    for (const std::string_view header :
         {"Content-Length: 99999999999999999999\r\n\r\n", "Content-Length: -1\r\n\r\n",
          "Content-Length: 2x\r\n\r\n", "Content-Length 2\r\n\r\n", "Other: 2\r\n\r\n", "\r\n\r\n",
          "Content-Length: 16777217\r\n\r\n"}) {
        MessageDecoder decoder;
        decoder.append(header);
        EXPECT_FALSE(decoder.next()) << header;
    }
    MessageDecoder endless;
    endless.append(std::string(MessageDecoder::maxHeaderBytes, 'x'));
    EXPECT_FALSE(endless.next());
}

/// A program of four instructions on the lines 5, 5, 7 and 8 of model.py, which stops as told.
class FakeProgram {
  public:
    std::string answer(std::string_view command) {
        if (command == "info instructions") {
            return instructions();
        }
        if (command == "run" || command == "start" || command == "start --reset") {
            at = 0;
            return stop("start");
        }
        if (command == "continue") {
            at = lines.size();
            return stop("end");
        }
        if (command == "next" || command == "step") {
            ++at;
            return stop(at == lines.size() ? "end" : "step");
        }
        if (command == "reverse-next") {
            at -= at > 0 ? 1 : 0;
            return stop(at == 0 ? "start" : "step");
        }
        if (command.starts_with("jump ")) {
            at = static_cast<std::size_t>(command.back() - '0');
            return stop("step");
        }
        const auto answer = answers.find(command);
        return answer == answers.end() ? R"({"error": {"code": "InvalidArgument", "message": "unknown"}})"
                                       : answer->second;
    }

    std::map<std::string, std::string, std::less<>> answers;

  private:
    [[nodiscard]] std::string stop(std::string_view reason) const {
        const bool isEnd = at == lines.size();
        const std::string source =
            isEnd ? "null" : fmt::format(R"({{"file": "/export/pkg/model.py", "line": {}}})", lines[at]);
        const std::string stack =
            isEnd ? ""
                  : fmt::format(R"({{"file": "/export/pkg/model.py", "line": {}, "function": "forward"}})",
                                lines[at]);
        return fmt::format(
            R"({{"stop": {{"reason": "{}", "execution": 0, "instruction": {}, "node": null, "operator": "aten.mul.out", "source": {}, "stack": [{}]}}}})",
            reason, at, source, stack);
    }
    [[nodiscard]] std::string instructions() const {
        std::string all;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            all += fmt::format(
                R"({}{{"instruction": {}, "operator": "aten.mul.out", "source": {{"file": "/export/pkg/model.py", "line": {}}}}})",
                i == 0 ? "" : ", ", i, lines[i]);
        }
        return fmt::format(R"({{"info": {{"kind": "instructions", "instructions": [{}]}}}})", all);
    }

    std::vector<int> lines{5, 5, 7, 8};
    std::size_t at = 0;
};

/// A client of a session with a fake engine.
class Client {
  public:
    Client()
        : session(
              [this](const std::vector<std::string>& arguments) -> core::Result<std::unique_ptr<Engine>> {
                  launched = arguments;
                  return std::make_unique<test::FakeEngine>(
                      [this](std::string_view line) { return program.answer(line); }, commands);
              },
              [this](std::string_view json) { received.emplace_back(json); }, [] { return false; }) {}

    /// Sends a request and returns the messages that it causes.
    std::vector<std::string> request(std::string_view command, std::string_view arguments = "{}") {
        received.clear();
        const auto handled = session.handle(
            fmt::format(R"({{"seq": {}, "type": "request", "command": "{}", "arguments": {}}})", ++sent,
                        command, arguments));
        EXPECT_TRUE(handled) << handled.error().toString();
        return received;
    }
    std::string response(std::string_view command, std::string_view arguments = "{}") {
        const auto messages = request(command, arguments);
        return messages.empty() ? std::string() : messages.front();
    }
    std::string stopAfter(std::string_view command, std::string_view arguments = "{}") {
        const auto messages = request(command, arguments);
        return messages.size() < 2 ? std::string() : messages.back();
    }
    void launch() { std::ignore = request("launch", R"({"program": "m.pte", "stopOnEntry": true})"); }
    void start() {
        launch();
        std::ignore = request("configurationDone");
    }
    std::string place() { return response("stackTrace", R"({"threadId": 1})"); }

    FakeProgram program;
    std::vector<std::string> launched;
    std::vector<std::string> commands;

  private:
    std::vector<std::string> received;
    int sent = 0;
    Session session;
};

TEST(DapSession, LaunchesWithTheArgumentsOfTheCommandLine) {
    Client client;
    EXPECT_THAT(client.response("initialize"), HasSubstr("\"supportsStepBack\": true"));
    const auto messages = client.request(
        "launch",
        R"({"program": "m.pte", "record": "m.etrecord", "inputs": ["x.npy", 2], "args": ["--seed", 3]})");
    EXPECT_THAT(client.launched,
                ElementsAre("--input=x.npy", "--input=2", "--seed", "3", "--", "m.pte", "m.etrecord"));
    EXPECT_THAT(messages, ElementsAre(HasSubstr("\"success\": true"), HasSubstr("\"initialized\"")));
}

TEST(DapSession, RefusesToLaunchWithoutAProgram) {
    Client client;
    EXPECT_THAT(client.response("launch", R"({"args": []})"), HasSubstr("program: expected the path"));
    EXPECT_THAT(client.response("next"), HasSubstr("\"success\": true"));
    EXPECT_THAT(client.response("evaluate", R"({"expression": "x"})"), HasSubstr("no program"));
}

TEST(DapSession, MapsBreakpointsToTheFileOfTheRecord) {
    Client client;
    client.program.answers["break /export/pkg/model.py:7 if max(out) > 3 ignore 4"] =
        R"({"breakpoint": {"id": 1, "message": ""}})";
    client.program.answers["break /export/pkg/model.py:9"] =
        R"({"error": {"code": "NotFound", "message": "model.py:9 maps to no instruction"}})";
    client.program.answers["delete 1"] = R"({"info": {"kind": "breakpoints"}})";
    client.launch();
    const std::string answer = client.response(
        "setBreakpoints",
        R"({"source": {"path": "/home/me/pkg/model.py"}, "breakpoints": [{"line": 7, "condition": "max(out) > 3", "hitCondition": "5"}, {"line": 9}]})");
    EXPECT_THAT(answer, HasSubstr(R"({"id": 1, "verified": true, "line": 7})"));
    EXPECT_THAT(answer, HasSubstr("maps to no instruction"));
    std::ignore = client.request("setBreakpoints",
                                 R"({"source": {"path": "/home/me/pkg/model.py"}, "breakpoints": []})");
    EXPECT_EQ(client.commands.back(), "delete 1");
}

TEST(DapSession, StepsByLine) {
    Client client;
    client.start();
    EXPECT_THAT(client.place(), HasSubstr("\"line\": 5"));
    EXPECT_THAT(client.stopAfter("next"), HasSubstr("\"reason\": \"step\""));
    EXPECT_THAT(client.place(), HasSubstr("instruction 2: aten.mul.out"));
    std::ignore = client.request("stepBack");
    EXPECT_THAT(client.place(), HasSubstr("instruction 0: aten.mul.out"));
    std::ignore = client.request("next", R"({"granularity": "instruction"})");
    EXPECT_THAT(client.place(), HasSubstr("instruction 1: aten.mul.out"));
}

TEST(DapSession, StepsBackToTheFirstInstructionOfALine) {
    Client client;
    client.start();
    std::ignore = client.request("goto", R"({"threadId": 1, "targetId": 3})");
    std::ignore = client.request("stepBack");
    EXPECT_THAT(client.place(), HasSubstr("instruction 2: aten.mul.out"));
    std::ignore = client.request("stepBack");
    EXPECT_THAT(client.place(), HasSubstr("instruction 0: aten.mul.out"));
}

TEST(DapSession, EndsWhenARunIsContinuedAtItsEnd) {
    Client client;
    client.start();
    EXPECT_THAT(client.stopAfter("continue"), HasSubstr("end of execution 0"));
    EXPECT_THAT(client.stopAfter("continue"), HasSubstr("\"terminated\""));
}

TEST(DapSession, ListsTargetsOfALine) {
    Client client;
    client.launch();
    const std::string answer =
        client.response("gotoTargets", R"({"source": {"path": "pkg/model.py"}, "line": 5})");
    EXPECT_THAT(answer, HasSubstr("instruction 0"));
    EXPECT_THAT(answer, HasSubstr("instruction 1"));
    EXPECT_THAT(client.response("breakpointLocations",
                                R"({"source": {"path": "model.py"}, "line": 1, "endLine": 7})"),
                HasSubstr(R"([{"line": 5}, {"line": 7}])"));
}

TEST(DapSession, ExpandsTensorsToStatisticsAndElements) {
    Client client;
    client.program.answers["info values"] =
        R"({"info": {"kind": "values", "values": [{"name": "x", "id": 3, "kind": "tensor", "dtype": "float32", "sizes": [2, 3], "role": "input", "statistics": {"min": -1.0, "max": 2.0, "mean": 0.5, "nan": 1}}]}})";
    client.program.answers["print %3"] =
        R"({"value": {"kind": "tensor", "statistics": {"min": -1.0, "nan": 1}, "arena": {"id": 1, "begin": 0, "end": 24}}})";
    client.program.answers["print %3[1, 1:3]"] =
        R"({"value": {"kind": "tensor", "data": [2.0, "nan"], "shown": 2}})";
    client.start();
    EXPECT_THAT(client.response("scopes", R"({"frameId": 0})"), HasSubstr("\"Inputs\""));
    EXPECT_THAT(client.response("variables", R"({"variablesReference": 2})"),
                HasSubstr("float32 [2, 3]: min -1.0, max 2.0, mean 0.5, 1 nan"));
    EXPECT_THAT(client.response("variables", R"({"variablesReference": 1000, "filter": "named"})"),
                HasSubstr("arena 1, bytes 0 to 24"));
    EXPECT_THAT(client.response("variables", R"({"variablesReference": 1000, "filter": "indexed"})"),
                HasSubstr("\"evaluateName\": \"%3[1]\""));
    EXPECT_THAT(
        client.response("variables",
                        R"({"variablesReference": 1002, "filter": "indexed", "start": 1, "count": 2})"),
        HasSubstr(R"({"name": "[2]", "value": "nan")"));
    client.program.answers["set %3[1, 2] = 0"] = R"({"branch": {"id": 1}})";
    client.program.answers["print %3[1, 2]"] = R"({"value": {"kind": "tensor", "data": [0.0], "shown": 1}})";
    EXPECT_THAT(
        client.response("setVariable", R"({"variablesReference": 1002, "name": "[2]", "value": "0"})"),
        HasSubstr(R"({"value": "0.0"})"));
    EXPECT_THAT(client.response("variables", R"({"variablesReference": 1002})"), HasSubstr("has expired"));
}

TEST(DapSession, WatchesData) {
    Client client;
    client.program.answers["print conv"] = R"({"value": {"kind": "tensor", "sizes": [1]}})";
    client.program.answers["watch conv"] = R"({"watchpoint": {"id": 4}})";
    client.program.answers["watch nan"] = R"({"watchpoint": {"id": 5}})";
    client.launch();
    EXPECT_THAT(client.response("dataBreakpointInfo", R"({"name": "conv"})"),
                HasSubstr(R"("dataId": "conv")"));
    EXPECT_THAT(client.response("setDataBreakpoints", R"({"breakpoints": [{"dataId": "conv"}]})"),
                HasSubstr(R"({"id": 4, "verified": true})"));
    EXPECT_THAT(client.response("setExceptionBreakpoints", R"({"filters": ["nan", "none"]})"),
                HasSubstr("no filter"));
}

TEST(DapSession, ExecutesCommandsOfTheConsole) {
    Client client;
    client.start();
    const auto messages = client.request("evaluate", R"({"expression": "next", "context": "repl"})");
    EXPECT_THAT(messages, ElementsAre(HasSubstr("\"success\": true"), HasSubstr("\"stopped\"")));
    client.program.answers["print 1 + 1"] = R"({"value": {"name": "1 + 1", "kind": "number", "value": 2}})";
    EXPECT_THAT(client.response("evaluate", R"({"expression": "1 + 1", "context": "repl"})"),
                HasSubstr(R"("result": "2")"));
    EXPECT_THAT(client.response("evaluate", R"({"expression": "1\nquit", "context": "repl"})"),
                HasSubstr("without control characters"));
    EXPECT_THAT(client.commands, Not(Contains("quit")));
}

TEST(DapSession, IgnoresMessagesThatAreNotRequests) {
    Client client;
    EXPECT_THAT(client.response("unheard_of"), HasSubstr("is not supported"));
}

}  // namespace
}  // namespace et::cli::dap
