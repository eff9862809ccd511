#pragma once

#include <QSyntaxHighlighter>
#include <QTextCharFormat>

namespace et::visualizers {

/// Highlights keywords, table names, numbers, strings and comments, using the palette of the document's
/// widget.
class SqlHighlighter : public QSyntaxHighlighter {
    Q_OBJECT

  public:
    explicit SqlHighlighter(QTextDocument* document);

    void setDark(bool dark);

  protected:
    void highlightBlock(const QString& text) override;

  private:
    void highlightWords(const QString& text);
    /// Highlights strings and comments, including multi-line ones, over any words inside them.
    void highlightQuoted(const QString& text);

    QTextCharFormat keyword;
    QTextCharFormat table;
    QTextCharFormat number;
    QTextCharFormat quoted;
    QTextCharFormat comment;
};

}  // namespace et::visualizers
