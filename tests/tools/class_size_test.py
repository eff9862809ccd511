"""class_size_test.py [--list] CHECKOUT: no class of the product has more than 25 methods.

A class with more has several responsibilities: split it along them. Constructors, destructors, operators, Qt
signals, and overrides, which belong to the interface that they implement, do not count; overloads do. --list
prints every class with its number instead.
"""

import pathlib
import re
import sys

FOLDERS = ("app", "backends", "bundled_program", "etdump", "etrecord", "inspector", "python", "runtime", "visualizers")
LIMIT = 25
# Classes with one responsibility that takes more methods, and their number, which may only fall.
EXCEPTIONS = {
    "MethodBuilder": 48,  # one per kind of value and instruction
    "OptionList": 27,  # one per kind of option
    "PanelArea": 31,  # docks, tabs and their states
    "PickleMachine": 44,  # one per opcode
    "Tensor": 30,  # a value type
}

# Comments, raw strings, strings, characters (not the digit separator), preprocessor lines.
NOISE = re.compile(
    r"//[^\n]*|/\*.*?\*/|R\"(\w*)\(.*?\)\1\"|\"(?:\\.|[^\"\\\n])*\"|(?<!\w)'(?:\\.|[^'\\\n])+'|^[ \t]*\#(?:\\\n|[^\n])*",
    re.DOTALL | re.MULTILINE,
)
CLASS = re.compile(r"^(?:template.*>\s*)?(?:class|struct)\s+(?:alignas\([^)]*\)\s*|\[\[[^\]]*\]\]\s*)*(\w[\w:]*)(?:\s+final)?\s*(?::(?!:).*)?$", re.DOTALL)
ACCESS = re.compile(r"\s*(public|protected|private|signals)\s*:(?!:)|\s*Q_OBJECT\b")
OVERRIDE = re.compile(r"\)[^()]*\b(?:override|final)\b")
METHOD = re.compile(r"(~?\b[A-Za-z_]\w*)\s*$")
NO_METHOD = re.compile(r"^(?:using|friend|typedef|static_assert|enum|class|struct|union|decltype|Q_\w+)\b")


def method(statement: str, owner: str) -> bool:
    """Whether a statement in a class declares or defines a method."""
    statement = re.sub(r"\[\[.*?\]\]", " ", statement)
    if NO_METHOD.match(re.sub(r"^template\s*<.*?>\s*", "", statement.strip())) or OVERRIDE.search(statement):
        return False
    depth = 0
    for at, char in enumerate(statement):
        if char == "<":
            depth += 1
        elif char == ">":
            depth -= depth > 0
        elif depth == 0 and char in "={":
            return False  # a member with an initial value
        elif depth == 0 and char == "(":
            name = METHOD.search(statement[:at])
            return name is not None and name[1] not in (owner, "~" + owner) and "operator" not in statement[:at]
    return False


def classes(text: str) -> list[tuple[str, int]]:
    """The classes with bodies in a source, and the number of methods of each."""
    text = NOISE.sub(" ", text)
    found = []
    scopes = []  # per open brace: [name of a class or None, methods, whether signals follow]
    statement = ""
    parens = 0
    for char in text:
        if char == "(":
            parens += 1
        elif char == ")":
            parens -= 1
        if parens > 0 or char not in "{};":
            statement += char
            continue
        scope = scopes[-1] if scopes else [None, 0, False]
        while access := ACCESS.match(statement):
            scope[2] = access[1] == "signals" if access[1] else scope[2]
            statement = statement[access.end() :]
        head = statement.strip()
        statement = ""
        opened = CLASS.match(head) if char == "{" else None
        if char != "}" and not opened and scope[0] is not None and not scope[2] and method(head, scope[0]):
            scope[1] += 1
        if char == "{":
            scopes.append([opened[1].split("::")[-1] if opened else None, 0, False])
        elif char == "}" and scopes:
            name, methods, _ = scopes.pop()
            if name is not None:
                found.append((name, methods))
    return found


def selfTest() -> bool:
    text = """
    // class Comment { void a(); };
    struct Empty {};
    template <typename T> class Holder : public Base<T> {
        Q_OBJECT
      public:
        explicit Holder(int a = f()) : a(a) {}
        ~Holder();
        Holder& operator=(const Holder&) = delete;
        bool operator==(const Holder&) const = default;
        [[nodiscard]] std::map<int, bool (*)(int)> one(std::vector<int> with = {}) const { return {a(1)}; }
        template <typename U> static auto two(U&& u) -> decltype(u.f());
        virtual void three() const = 0;
        void inherited() const override { two(1); }
        decltype(&::malloc) pointer;
      signals:
        void changed();

      private:
        enum class Kind { A, B };
        struct Inner { int four() { return 1; } };
        using Call = void (*)(int);
        std::function<void(int)> call = [](int) { run(); };
        std::vector<int> values{1, 2};
        friend void other(const Holder&);
        int number = f(3);
    };
    void free() { Holder<int> local(3); }
    """
    return classes(text) == [("Empty", 0), ("Inner", 1), ("Holder", 3)]


def main() -> int:
    if not selfTest():
        print("the check itself is wrong")
        return 1
    checkout = pathlib.Path(sys.argv[-1])
    problems = 0
    for folder in FOLDERS:
        for path in sorted((checkout / folder).rglob("*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            for name, methods in classes(path.read_text(encoding="utf-8")):
                if "--list" in sys.argv:
                    print(f"{methods:4} {name} {path.relative_to(checkout)}")
                elif methods > EXCEPTIONS.get(name, LIMIT):
                    print(f"{path.relative_to(checkout)}: {name} has {methods} methods, more than {LIMIT}: split it")
                    problems += 1
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
