#pragma once

#include <QSyntaxHighlighter>
#include <QTextCharFormat>

namespace et::visualizers {

/// Colours Python: keywords, names that are defined, strings (of several lines, too), numbers, comments and
/// decorators.
class PythonHighlighter : public QSyntaxHighlighter {
    Q_OBJECT

  public:
    explicit PythonHighlighter(QTextDocument* document);

    /// For a dark or a light ground.
    void setDark(bool dark);

  protected:
    void highlightBlock(const QString& text) override;

  private:
    /// Where the text goes on: after a string that ends on this line, else its end.
    [[nodiscard]] qsizetype string(const QString& text, qsizetype from, qsizetype content,
                                   const QString& quote);
    [[nodiscard]] qsizetype word(const QString& text, qsizetype from);
    [[nodiscard]] qsizetype number(const QString& text, qsizetype from);
    void paint(qsizetype from, qsizetype to, const QTextCharFormat& format);

    QTextCharFormat keywords;
    QTextCharFormat definitions;
    QTextCharFormat strings;
    QTextCharFormat numbers;
    QTextCharFormat comments;
    QTextCharFormat decorators;
};

}  // namespace et::visualizers
