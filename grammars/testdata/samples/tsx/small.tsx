const A: FC<{x: number}> = ({x}) => <div key={x}>{x as any}</div>
