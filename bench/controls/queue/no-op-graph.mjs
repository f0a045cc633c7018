// The graph that the LangGraph server runs: one node that does nothing.
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'

export const graph = new StateGraph(MessagesAnnotation)
  .addNode('nothing', () => ({}))
  .addEdge(START, 'nothing')
  .addEdge('nothing', END)
  .compile()
